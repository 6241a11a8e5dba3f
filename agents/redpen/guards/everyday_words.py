"""Everyday words of letters and notices: places, people, papers, manners of speaking; none of machinery."""

from __future__ import annotations

_PLACES = """
door gate entrance exit lobby foyer hallway corridor aisle stairs staircase stairwell floor upstairs
downstairs cellar roof attic balcony terrace garden yard courtyard car park garage kitchen bathroom bedroom
laboratory lab studio workshop library museum gallery theatre cinema hall church campus canteen cafe
restaurant bar shelf shelves cupboard drawer bench seat chair table row stand booth kiosk turnstile barrier
road lane motorway bridge tunnel crossing junction roundabout pavement square quay pier harbour port marina
dock jetty ship boat ferry vessel deck cabin sea lake river coast beach shore island mountain hill valley
forest field meadow farm village district neighbourhood suburb county province airport terminal station
platform stop depot hub hangar hostel inn lodge villa flat apartment household premises venue arena stadium
court pitch pool
"""
_PEOPLE = """
somebody neighbour resident household tenant landlord lodger parent mother father mum dad son daughter child
children baby kid grandparent family relative friend fan folk crowd public audience spectator listener
singer musician actor artist author writer editor pupil student candidate graduate apprentice trainee
teacher tutor coach trainer instructor lecturer professor headteacher principal caretaker porter
receptionist waiter chef baker grocer butcher florist gardener farmer grower fisherman sailor skipper
captain pilot conductor inspector steward attendant usher cashier clerk secretary accountant lawyer notary
officer mayor councillor nurse doctor dentist vet pharmacist patient owner breeder walker cyclist hiker
skier climber swimmer runner athlete commuter motorist pedestrian traveller holidaymaker tourist visitor
guest host hostess manufacturer supplier maker producer importer dealer trader agent contractor insurer
adviser consultant volunteer donor sponsor trustee treasurer chairman chairwoman spokesman spokeswoman
representative successor predecessor addressee recipient signatory undersigned counsel
"""
_PAPERS = """
screen display keyboard button menu tab icon link tile label tag sticker stamp envelope postcard flyer
brochure catalogue booklet folder binder file sheet paragraph sentence footnote appendix annex attachment
signature initials passport licence permit certificate diploma transcript timetable itinerary reservation
voucher coupon receipt invoice cheque statement passbook form questionnaire survey ballot newspaper magazine
journal diary album photograph postal courier luggage baggage suitcase bag rucksack backpack purse umbrella
coat jacket footwear boot shoe clothing garment stout sturdy glove scarf ball film movie song play book
novel chapter page
"""
_AFFAIRS = """
decision choice option possibility alternative preference opinion view comment suggestion proposal remark
feedback wish favour courtesy kindness pity shame surprise coincidence misunderstanding rumour gossip joke
story tale nutshell essentials basics gist crux extension deadline expiry renewal enrolment registration
admission attendance absence presence presentation appointment meeting interview rehearsal lesson lecture
seminar class course exam match game concert show performance festival party wedding birthday anniversary
ceremony journey trip voyage crossing outing excursion tour stay visit breakfast lunch dinner supper meal
snack drink luncheon holidays vacation term semester occasion arrangement agreement contract clause rule
regulation guideline procedure formality modification amendment adjustment reimbursement category
classification nature destination departure requirement obligation eligibility entitlement
"""
_DOING = """
ring phone telephone dial text fax post mail tap click press swipe scroll type knock queue board disembark
buy purchase pay book hire borrow lend sell order fetch collect bring carry pack unpack wrap wear hold save
keep retain archive store lack own possess belong undergo commence conclude proceed entail comprise consist
constitute amount total equal match trail last cover invite summon address greet introduce acquaint accustom
familiarise remember recall forget recognise realise notice mention refer cite quote phrase word translate
interpret reckon suppose presume guess imagine wonder doubt hesitate prefer favour decide deliberate consult
confer discuss debate argue disagree object complain grumble protest praise congratulate bless eat drink
taste smell listen cry weep sit stand lean kneel lie walk stroll hike climb swim ride cycle drive travel
commute wander roam return depart head bound turn wave nod shake hug kiss accompany assist attend absent
enrol register apply qualify vote elect sign countersign initial fill print photocopy scan glue staple fold
tear
"""
_MANNERS = """
owing simply merely solely purely chiefly principally primarily largely namely moreover furthermore
additionally besides hence thereby therein thereof thereto hereby herewith heretofore notwithstanding
nevertheless nonetheless conversely likewise similarly equally alike accordingly consequently subsequently
respectively evidently obviously apparently admittedly regrettably unfortunately sadly alas surely frankly
honestly candidly bluntly briefly concisely broadly loosely strictly literally virtually roughly thereabouts
beforehand afterwards hitherto henceforth thenceforth presently shortly earliest latest forthwith overnight
midway halfway upfront aloud alone aboard abroad ashore offshore upstream downstream indoors outdoors nearby
opposite adjacent feasible practicable possible conceivable customary habitual ordinary lovely cosy funny
witty friendly polite gracious generous gentle humble modest solemn formal informal casual cold chilly
frosty icy damp wet rainy cloudy windy stormy snowy foggy humid kind dear beloved esteemed valued loyal
faithful curious anxious nervous sleepy hungry thirsty tired weary
"""
_WOES = """
horrible awful terrible dreadful ghastly lousy rotten unpleasant unwelcome untimely unlucky unhappy grim
gloomy bleak miserable sad sorrowful bitter painful gruelling tedious dull dreary wretched pitiful sorry
vain futile pointless wasted swollen swell spoil mar blight ruin wreck trip stumble topple wipe erase
squeeze cramp crowd crush detour headache hiccup hitch snag glitch gremlin nightmare ordeal fiasco farce
debacle shambles mess kerfuffle commotion turmoil uproar upset bother faff hassle palaver rigmarole setback
blow bummer letdown drag bane curse plague jinx gloom misery woe grief heartache anguish despair dismay
"""
_CALLS = """
ahoy aha ah alas aloha argh aw bah behold blimey bonjour bravo brr buongiorno cheerio cheers ciao crikey eek
eh er ouch gee golly gosh guten hallo hark hej hello hiya hmm hola hoorah howdy hullo hurrah hurray huzzah
konnichiwa kia ora lo merhaba mmm moin namaste oh oho oi oops ooh phew pardon pooh psst salut salve servus
sheesh shh shucks tada tut ugh uh um uhoh welcome whew whoa whoops wow yay yikes yippee yo yoohoo zut
morning evening afternoon greetings salutations adieu farewell goodbye bye goodnight
"""


def everyday_words() -> frozenset[str]:
    """Return the everyday words, one form a word."""
    return frozenset(f"{_PLACES}{_PEOPLE}{_PAPERS}{_AFFAIRS}{_DOING}{_MANNERS}{_WOES}{_CALLS}".split())
