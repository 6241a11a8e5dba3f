"""The names of places: regions with their other names, countries, cities, what their people are called."""

from __future__ import annotations

from redpen.guards.data import texts, word_map

REGIONS = texts("place_names", "regions")
"""Canonical region and its other names, parted by bars."""

COUNTRIES = (
    "ad andorra:andorran|ae united arab emirates:emirati:uae|af afghanistan:afghan|al albania:albanian|"
    "am armenia:armenian|ao angola:angolan|ar argentina:argentinian:argentine|at austria:austrian|"
    "au australia:australian:aussie|az azerbaijan:azerbaijani|ba bosnia:bosnian|bd bangladesh:bangladeshi|"
    "be belgium:belgian|bg bulgaria:bulgarian|bh bahrain:bahraini|bo bolivia:bolivian|br brazil:brazilian|"
    "by belarus:belarusian|ca canada:canadian|ch switzerland:swiss|cl chile:chilean|cn china:chinese:prc|"
    "co colombia:colombian|cr costa rica:costa rican|cu cuba:cuban|cy cyprus:cypriot|"
    "cz czech republic:czechia:czech|de germany:german|dk denmark:danish|do dominican republic:dominican|"
    "dz algeria:algerian|ec ecuador:ecuadorian|ee estonia:estonian|eg egypt:egyptian|es spain:spanish|"
    "et ethiopia:ethiopian|fi finland:finnish|fr france:french|ge georgia:georgian|gh ghana:ghanaian|"
    "gr greece:greek|gt guatemala:guatemalan|hk hong kong|hn honduras:honduran|hr croatia:croatian|"
    "hu hungary:hungarian|id indonesia:indonesian|ie ireland:irish:republic of ireland|il israel:israeli|"
    "in india:indian|iq iraq:iraqi|ir iran:iranian|is iceland:icelandic|it italy:italian|jm jamaica:jamaican|"
    "jp japan:japanese|ke kenya:kenyan|kh cambodia:cambodian|kr south korea:korea:korean:korean republic|"
    "kw kuwait:kuwaiti|kz kazakhstan:kazakh|lb lebanon:lebanese|lk sri lanka:sri lankan|"
    "lt lithuania:lithuanian|lu luxembourg:luxembourgish|lv latvia:latvian|ma morocco:moroccan|"
    "md moldova:moldovan|me montenegro:montenegrin|mk macedonia:macedonian|mm myanmar:burmese|"
    "mn mongolia:mongolian|mt malta:maltese|mx mexico:mexican|my malaysia:malaysian|mz mozambique:mozambican|"
    "ng nigeria:nigerian|ni nicaragua:nicaraguan|nl netherlands:dutch:holland|no norway:norwegian|"
    "np nepal:nepali:nepalese|nz new zealand:kiwi|om oman:omani|pa panama:panamanian|pe peru:peruvian|"
    "ph philippines:filipino:philippine|pk pakistan:pakistani|pl poland:polish|pr puerto rico:puerto rican|"
    "pt portugal:portuguese|py paraguay:paraguayan|qa qatar:qatari|ro romania:romanian|rs serbia:serbian|"
    "ru russia:russian|sa saudi arabia:saudi|se sweden:swedish|sg singapore:singaporean|"
    "si slovenia:slovenian|sk slovakia:slovak|sn senegal:senegalese|sv el salvador:salvadoran|"
    "sy syria:syrian|th thailand:thai|tn tunisia:tunisian|tr turkey:turkish:turkiye|tw taiwan:taiwanese|"
    "tz tanzania:tanzanian|ug uganda:ugandan|uy uruguay:uruguayan|uz uzbekistan:uzbek|"
    "ve venezuela:venezuelan|vn vietnam:vietnamese|ye yemen:yemeni|za south africa:south african|"
    "zm zambia:zambian|zw zimbabwe:zimbabwean|xe england:english|xs scotland:scottish|xw wales:welsh|"
    "xn northern ireland:northern irish|gl greenland:greenlandic|fo faroe islands:faroe|"
    "gi gibraltar:gibraltarian|je jersey|gg guernsey|im isle of man|mc monaco:monegasque|li liechtenstein|"
    "sm san marino|va vatican|xk kosovo:kosovar:kosovan|mo macau|bn brunei|la laos:laotian|"
    "bt bhutan:bhutanese|mv maldives:maldivian|mu mauritius:mauritian|mg madagascar:malagasy|bw botswana|"
    "na namibia:namibian|rw rwanda:rwandan|sd sudan:sudanese|so somalia:somali|ly libya:libyan|"
    "tm turkmenistan:turkmen|tj tajikistan:tajik|kg kyrgyzstan:kyrgyz|bz belize:belizean|ht haiti:haitian|"
    "bb barbados:barbadian|tt trinidad:trinidadian|gy guyana:guyanese|sr suriname:surinamese|ml mali:malian|"
    "ne niger|td chad:chadian|cm cameroon:cameroonian|cg congo:congolese|ga gabon:gabonese|bj benin:beninese|"
    "tg togo:togolese|lr liberia:liberian|gu guam|bm bermuda:bermudian|fj fiji:fijian|ws samoa:samoan|"
    "to tonga:tongan|pg papua new guinea|ky cayman islands:cayman"
)

CITIES = (
    "london|paris|berlin|munich|frankfurt|hamburg|madrid|barcelona|lisbon|rome|milan|vienna|zurich|geneva|"
    "amsterdam|rotterdam|brussels|dublin|edinburgh|glasgow|manchester|birmingham|leeds|bristol|cardiff|"
    "belfast|copenhagen|stockholm|oslo|helsinki|warsaw|krakow|prague|budapest|bucharest|sofia|athens|"
    "istanbul|kyiv|kiev|lviv|odesa|kharkiv|dnipro|moscow|tallinn|riga|vilnius|new york|new york city|nyc|los "
    "angeles|san francisco|bay area|san diego|san jose|seattle|portland|chicago|boston|dallas|houston|austin|"
    "denver|phoenix|atlanta|miami|philadelphia|detroit|minneapolis|las vegas|washington|toronto|montreal|"
    "vancouver|calgary|ottawa|mexico city|sao paulo|rio de janeiro|buenos aires|bogota|lima|santiago|tokyo|"
    "osaka|seoul|beijing|shanghai|shenzhen|taipei|mumbai|delhi|new delhi|bangalore|bengaluru|hyderabad|"
    "chennai|pune|kolkata|jakarta|manila|bangkok|hanoi|kuala lumpur|sydney|melbourne|brisbane|perth|auckland|"
    "dubai|abu dhabi|riyadh|doha|tel aviv|cairo|lagos|nairobi|johannesburg|cape town|casablanca|accra|"
    "ashburn|california|texas|florida|ohio|oregon|virginia|northern virginia|illinois|pennsylvania|new "
    "jersey|massachusetts|arizona|colorado|michigan|minnesota|nevada|utah|washington state|north carolina|"
    "south carolina|tennessee|alabama|alaska|arkansas|connecticut|delaware|hawaii|idaho|indiana|iowa|kansas|"
    "kentucky|louisiana|maine|maryland|mississippi|missouri|montana|nebraska|new hampshire|new mexico|north "
    "dakota|south dakota|oklahoma|rhode island|vermont|west virginia|wisconsin|wyoming|ontario|quebec|"
    "british columbia|alberta|bavaria|catalonia|manitoba|saskatchewan|nova scotia|new brunswick|newfoundland|"
    "yukon|halifax|winnipeg|edmonton|cologne|stuttgart|dusseldorf|lyon|marseille|turin|naples|porto|seville|"
    "malaga|gothenburg|bergen|antwerp|basel|salzburg|liverpool|sheffield|nottingham|galway|adelaide|canberra|"
    "christchurch|jaipur|ahmedabad|karachi|lahore|islamabad|dhaka|colombo|kathmandu|ho chi minh city|"
    "guangzhou|hangzhou|chengdu|busan|kyoto|nagoya|fukuoka|guadalajara|monterrey|medellin|quito|caracas|"
    "montevideo|brasilia|recife|curitiba|addis ababa|kampala|dakar|tunis|algiers|durban|pretoria|jeddah|"
    "muscat|beirut|amman|ankara|izmir|baku|tbilisi|yerevan|almaty|minsk|saint petersburg|zagreb|belgrade|"
    "ljubljana|bratislava|brno|gdansk|wroclaw|poznan|sarajevo|skopje|tirana|thessaloniki|nashville|orlando|"
    "tampa|sacramento|salt lake city|kansas city|cleveland|pittsburgh|baltimore|raleigh|indianapolis|"
    "milwaukee|new orleans|honolulu|queensland|victoria state|new south wales|silicon valley|manhattan|"
    "brooklyn|the bronx|queens|long island|greater manchester|greater london|cornwall|yorkshire|kent|saxony|"
    "normandy|provence|andalusia|lombardy|tuscany|sicily|transylvania|donbas|crimea|zakarpattia|chernihiv|"
    "poltava|vinnytsia|zaporizhzhia|mykolaiv|kherson|bordeaux|aberdeen|inverness|plymouth|newcastle|"
    "leicester|oxford|cambridge|brighton|southampton|limerick|graz|linz|dresden|leipzig|bremen|hannover|"
    "hanover|nuremberg|dortmund|bonn|the hague|utrecht|eindhoven|ghent|bruges|zaragoza|valencia|bilbao|"
    "palermo|genoa|bologna|florence|venice|verona|lodz|katowice|szczecin|brasov|cluj|timisoara|varna|plovdiv|"
    "patras|crete|bursa|antalya|haifa|jerusalem|alexandria|mombasa|kigali|lusaka|harare|luanda|maputo|abuja|"
    "kano|sapporo|hiroshima|daegu|incheon|wuhan|chongqing|tianjin|kaohsiung|cebu|davao|surabaya|bandung|"
    "penang|phuket|chiang mai|da nang|lucknow|surat|goa|kerala|punjab|gujarat|karnataka|maharashtra|tamil "
    "nadu|darwin|hobart|cairns|gold coast|wellington|dunedin|hamilton|puebla|tijuana|cancun|cordoba|mendoza|"
    "valparaiso|concepcion|arequipa|cusco|guayaquil|la paz|santa cruz|asuncion|fortaleza|manaus|belo "
    "horizonte|spokane|tucson|albuquerque|el paso|san antonio|fort worth|memphis|louisville|columbus|"
    "cincinnati|st louis|omaha|des moines|buffalo|rochester|albany|boise|anchorage|charlotte|richmond|"
    "norfolk|savannah|jacksonville|oakland|fresno|long beach|tasmania|nsw|qld"
)
ISO3 = word_map("place_names", "iso3")
"""Codes of three letters, as those of two."""
MIDDLE = frozenset({"-", "'", ".", ",", "&"})
"""Marks that may stand inside a name."""


REGION_NAMES = {
    name: canonical
    for canonical, others in REGIONS.items()
    for name in (canonical, *others.split("|"))
    if name
}
COUNTRY_NAMES = {
    name: entry.partition(" ")[0]
    for entry in COUNTRIES.split("|")
    for name in entry.partition(" ")[2].split(":")
}
DEMONYMS = {
    name.replace("_", " "): canonical
    for canonical, names in {
        "pl": "pole poles", "se": "swede swedes", "dk": "dane danes", "fi": "finn finns",
        "tr": "turk turks", "es": "spaniard spaniards", "gr": "greeks", "cz": "czechs", "au": "aussies",
        "nz": "kiwis new_zealander new_zealanders", "ph": "filipinos filipina filipinas",
        "ar": "argentines argentinean argentineans",
        "xs": "scot scots scotsman scotsmen scotswoman scotswomen", "london": "londoner londoners",
        "paris": "parisian parisians", "berlin": "berliner berliners",
        "ie": "irishman irishmen irishwoman irishwomen",
        "fr": "frenchman frenchmen frenchwoman frenchwomen",
        "nl": "dutchman dutchmen dutchwoman dutchwomen", "xw": "welshman welshmen welshwoman welshwomen",
        "xe": "englishman englishmen englishwoman englishwomen", "is": "icelander icelanders",
        "gl": "greenlander greenlanders", "lu": "luxembourger luxembourgers",
        "li": "liechtensteiner liechtensteiners", "hk": "hongkonger hongkongers hong_konger hong_kongers",
        "uk": "brit briton", "sk": "slovaks", "si": "slovene slovenes", "hr": "croat croats",
        "rs": "serb serbs", "ba": "bosniak bosniaks", "cy": "cypriots", "kz": "kazakhs",
        "ec": "ecuadorean ecuadoreans", "sv": "salvadorean salvadoreans", "im": "manx manxman manxmen",
        "az": "azeri azeris", "pg": "papuan papuans", "nordics": "scandinavians",
        "dublin": "dubliner dubliners", "vienna": "viennese", "milan": "milanese", "rome": "romans",
        "venice": "venetians", "athens": "athenian athenians", "moscow": "muscovite muscovites",
        "amsterdam": "amsterdammer amsterdammers", "manchester": "mancunian mancunians",
        "glasgow": "glaswegian glaswegians", "liverpool": "liverpudlian liverpudlians",
        "cornwall": "cornish", "new york": "new_yorker new_yorkers", "texas": "texan texans",
        "california": "californian californians", "florida": "floridian floridians",
        "hawaii": "hawaiian hawaiians", "alaska": "alaskan alaskans", "chicago": "chicagoan chicagoans",
        "boston": "bostonian bostonians", "toronto": "torontonian torontonians",
        "ontario": "ontarian ontarians", "alberta": "albertan albertans",
        "quebec": "quebecer quebecers quebecois", "sydney": "sydneysider sydneysiders",
        "melbourne": "melburnian melburnians", "queensland": "queenslander queenslanders",
        "tasmania": "tasmanian tasmanians", "bavaria": "bavarian bavarians",
        "catalonia": "catalan catalans", "tuscany": "tuscan tuscans", "sicily": "sicilian sicilians",
        "andalusia": "andalusian andalusians",
    }.items()
    for name in names.split()
} | {
    f"{adjective}s": entry.partition(" ")[0]
    for entry in COUNTRIES.split("|")
    for adjective in entry.partition(" ")[2].split(":")[1:]
    if adjective.endswith(("an", "i"))
}  # fmt: skip
"""What the people of a place are called, where that is not its adjective."""
CITY_NAMES = {name: name for name in CITIES.split("|")} | {
    "nyc": "new york",
    "new york city": "new york",
    "kiev": "kyiv",
}
COUNTRY_CODES = {code: code for code in "jp au nz br mx de fr es cn kr sg hk nl se pl ch".split()} | ISO3
"""Codes that name a country where they stand in capitals."""


def _table() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return, by first word, the names that begin with it, the longest first, and their canonical form."""
    names = DEMONYMS | REGION_NAMES | COUNTRY_NAMES | CITY_NAMES | COUNTRY_CODES
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, canonical in names.items():
        words = tuple(name.replace(".", " . ").split())
        table.setdefault(words[0], []).append((words, canonical))
    return {first: tuple(sorted(found, key=lambda item: -len(item[0]))) for first, found in table.items()}


PLACES = _table()
PLACE_STARTS = frozenset({*PLACES, *(f"{word}'s" for word in PLACES)})
PLACE_SECONDS = {
    first: frozenset({*MIDDLE, *(words[1] for words, _ in names), *(f"{words[1]}'s" for words, _ in names)})
    for first, names in PLACES.items()
    if all(len(words) > 1 for words, _ in names)
}
"""What may follow the words that are no place by themselves."""
