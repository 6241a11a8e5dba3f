"""Classes of words that patterns name: who, what is worth keeping, what is paid, how it is given or seen."""

from __future__ import annotations

from types import MappingProxyType

WORD_CLASSES = MappingProxyType(
    {
        "be": "is are am was were be been being 's",
        "ours": "we i us our team company",
        "readers": "you customers customer everyone everybody anyone users user guests guest clients client "
        "members member they who them those subscribers subscriber merchants merchant riders rider fans "
        "shoppers shopper passengers passenger travellers traveller drivers driver viewers viewer listeners "
        "students student pupils pupil parents patients patient employees employee staff tenants tenant "
        "households household players player visitors visitor callers caller buyers buyer sellers seller "
        "families account accounts each every all any no person people",
        "outsiders": "outsider outsiders stranger strangers attacker attackers hacker hackers intruder "
        "intruders criminal criminals thief thieves fraudster fraudsters party parties actor actors "
        "else outside unauthorised unauthorized other others",
        "private": "data information details detail records record credentials password passwords funds "
        "money card cards account accounts message messages conversations conversation chats photos photo "
        "pictures files file documents document backups identity privacy wallet wallets savings deposits "
        "deposit balance balances balances' emails email mail addresses address grades results scores "
        "history transactions invoices orders order bookings booking reservations reservation profile "
        "profiles number numbers contacts pin pins prescriptions statements salary salaries cent cents penny "
        "euro dollar content contents recordings settings points payment payments picture album albums video "
        "videos recording playlist playlists progress rewards purchases purchase miles seat seats ticket "
        "tickets parcel parcels goods shipments grade mark marks work homework submission submissions loans "
        "pay wages payslip payslips location mailbox mailboxes inbox calls call appointments appointment "
        "chat result samples inventory setting collection saves character characters items list lists "
        "letters letter texts text drafts draft names identities fingerprints key keys license licence "
        "plates stock stocks holdings portfolio entries entry voucher vouchers subscription subscriptions "
        "membership memberships uploads everything",
        "sees": "~see ~read ~view ~access ~touch ~open ~copy ~obtain ~download ~steal ~take ~get ~gain "
        "~have ~reach ~enter ~misuse ~abuse ~use ~know ~learn ~intercept ~harvest ~look ~peek ~break ~find",
        "handled": "touched tampered altered modified changed manipulated copied deleted erased wiped viewed "
        "leaked sold stolen taken shared damaged harmed involved exposed compromised lost moved misused "
        "abused opened accessed read seen disclosed published released removed overwritten concerned",
        "fee": "fee fees charge charges cost costs price prices fare fares postage shipping interest penalty "
        "penalties surcharge surcharges bill bills invoice invoices overdraft commission toll tolls levy "
        "levies premium premiums fine fines rent tuition dues debt debts instalment instalments excess "
        "roaming expense expenses loss losses markup supplement supplements tab",
        "drops": "~waive ~drop ~scrap ~cancel ~wipe ~erase ~lift ~suspend ~remove ~strike ~void ~annul "
        "~forgive ~forget ~forgo ~reverse ~undo ~halve ~reduce ~lower ~cut ~absorb ~cover ~bear ~shoulder "
        "~foot ~swallow ~settle ~offset ~deduct ~freeze ~ditch ~nullify ~quash ~rescind ~discharge ~stomach "
        "~defray ~scratch",
        "payer": "us ours our own house company firm provider side account pocket purse expense dime tab "
        "treat",
        "money": "money fee fees charge charges cost costs fare fares price postage payment payments deposit "
        "deposits amount amounts sum sums funds cash purchase expenses difference bill subscription rent "
        "interest penalty tip premium",
        "expense": "cost costs fee fees expense expenses loss losses damage damages bill bills taxi taxis "
        "cab hotel hotels call calls charges postage interest penalty penalties difference transport ticket "
        "tickets meal meals night nights fare fares shipping replacement surcharge overdraft parking fuel",
        "perk": "bonus bonuses perk perks freebie freebies gift gifts credit "
        "credits voucher vouchers coupon coupons rebate rebates discount discounts cashback points upgrade "
        "upgrades extras reward rewards gesture payout payouts compensation miles goodwill "
        "allowance surprise goodies hamper freebie complimentary bounty recompense "
        "substitute",
        "term": "subscription subscriptions plan plans trial trials licence licences license licenses "
        "membership memberships contract contracts pass passes season validity period access term terms "
        "rental warranty card deadline deadlines loan loans premium",
        "gives": "~give ~add ~put ~send ~offer ~grant ~issue ~load ~drop ~apply ~include ~throw ~earn "
        "~receive ~get ~enjoy ~collect ~claim ~find ~pop ~place ~award ~gift ~slip ~treat ~hand ~extend "
        "~prepare ~owe ~deposit ~provide ~deserve ~await",
        "repairs": "fix fixes hotfix patch patches repair repairs rollback correction remedy solution "
        "mitigation cure",
        "slip": "mistake mistakes error errors blunder blunders slip lapse misstep misjudgement oversight "
        "misjudgment howler gaffe failing failings shortcoming shortcomings",
        "works": "work works function functions load loads complete completes succeed succeeds respond "
        "responds connect connects run runs flow flows arrive arrives open opens unlock unlocks show shows "
        "print prints play plays scan scans accept accepts take takes start starts save saves sync syncs "
        "send sends update updates deliver delivers reach reaches pass passes process processes refresh "
        "refreshes appear appears spring springs go goes light lights match matches clear clears ring rings "
        "answer answers react reacts reply replies recognise recognises read reads register registers",
        "we": "we i us",
        "crew": "team staff engineer engineers colleague colleagues technician technicians operator "
        "operators contractor employee employees intern trainee apprentice admin administrator crew someone "
        "somebody clerk developer developers management department agent",
        "process": "our process processes procedure procedures preparation preparations planning testing "
        "tests checks monitoring safeguards controls review communication response judgement judgment "
        "handling",
        "bungles": "botched bungled mishandled misjudged misreaded underestimated overestimated overlooked "
        "misconfigured wrecked fumbled flubed goofed erred neglected disregarded miscalculated "
        "miscounted misplaced mislabeled misrouted mistyped mispriced mismanaged misfiled "
        "misassigned misinterpreted mispacked misdirected muddled confused muffed bodged fluffed "
        "borked blew blown mixed messed screwed slipped fouled cocked stuffed forgot forgotten "
        "ignored skipped broke broken slept stumbled faltered tripped ruined floundered dithered "
        "dawdled flunked omitted blundered missent misunderstood misled",
        "slips": "mistake mistakes blunder blunders slip lapse lapses misstep missteps misjudgement "
        "oversight oversights misjudgment howler gaffe failing failings shortcoming shortcomings error "
        "failure fault negligence carelessness complacency sloppiness neglect gap gaps mix-up mishap "
        "weakness weaknesses flaw deficiency deficiencies wrong misunderstanding inattention haste "
        "incompetence",
        "trouble": "issue issues problem problems incident incidents outage outages failure failures error "
        "errors fault faults disruption disruptions trouble troubles delay delays slowdown slowdowns "
        "degradation interruption downtime timeouts crashes crash declines drops symptoms mess impact "
        "slowness latency backlog it this that everything these those all",
        "service": "checkout checkouts payments orders service services system systems platform app site "
        "website api search logins login sign-in mail delivery deliveries calls messages bookings exports "
        "reports videos streams maps dashboards codes notifications uploads downloads queries requests "
        "transactions everything all access queue jobs data files tracking trips rides",
    }
)
"""Words by class, parted by spaces; ``~`` stands for all forms of a verb."""
