"""Facts that honest rewriting puts into other clauses, and new ones that look like them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

if TYPE_CHECKING:
    from collections.abc import Mapping

NEW, SEVERITY, INCIDENT, REGION = "no_new_facts", "new_severity_label", "new_incident_id", "new_region"


class Letter(NamedTuple):
    """An original with its context, what says it again, and what is new by code."""

    original: str
    known: tuple[str, ...]
    new: tuple[tuple[str, str], ...]
    context: Mapping[str, Any] = MappingProxyType({})


def _all_new(*sentences: str) -> tuple[tuple[str, str], ...]:
    return tuple((sentence, NEW) for sentence in sentences)


LETTERS: dict[str, Letter] = {
    "a clause after a number says nothing of its kind": Letter(
        "Your parcel is among 5,200 waiting at our hub. 84 lanes are shut. 310 calls to "
        "the desk were dropped.",
        (
            "It is one of 5,200 that wait at our hub.",
            "One of 84 that are shut.",
            "Of the calls to the desk, 310 that came in were dropped.",
            "It is among the 5,200 the hub has not sorted.",
            "So far, 310 identified.",
        ),
        _all_new(
            "It is one of 5,300 that wait.",
            "5,200 customers wait.",
            "5,200 calls that reached us waited.",
            "310 of the parcels were dropped.",
        ),
    ),
    "a count and a share joined by or are no range": Letter(
        "11% of payslips, 480 of them, are wrong. 16% of claims run late, 1,900 in "
        "number. It takes 2 to 3 days.",
        (
            "On 480 or 11% of payslips the sum is wrong.",
            "Claims run late, 1,900 or 16% of them.",
            "It takes 2 or 3 days.",
        ),
        _all_new(
            "1,900 or 17% of claims run late.",
            "1,800 or 16% of claims run late.",
            "9 or 11% of slips are wrong.",
        ),
    ),
    "several in a whole are a share": Letter(
        "About 40% of our rooms have a fault. 30% of seats are double-sold. 2 crews are "
        "out. 4 depots are shut.",
        ("Two rooms in five have a fault.", "Three seats in ten are double-sold.", "Two crews in 4 depots."),
        _all_new(
            "Two rooms in six have a fault.",
            "2 crews in 3 of our depots.",
        ),
    ),
    "a day that nobody can name is no length of time": Letter(
        "We can't name a day for this. We cannot say when exports work.",
        (
            "To promise you a day for this would not be honest.",
            "We cannot promise a day for exports.",
            "A day for this we can't name.",
            "We don't have a day yet.",
            "We will not commit to a day.",
        ),
        _all_new(
            "It takes a day.",
            "We promise to be done within a day.",
            "You get a day's credit.",
            "We promise you a week free of charge.",
            "A day for the repair is what it takes.",
        ),
    ),
    "a rate is one of what its clause is about": Letter(
        "Settlement calls to our API are returning timeouts at a rate of 6.2%. Card "
        "readers reject taps at a rate "
        "of 8%. 3% of top-ups fail.",
        ("8% of taps are rejected.",),
        _all_new("6.2% of top-ups fail.", "8% of top-ups fail.", "3% of the settlement calls time out."),
    ),
    "a change is one of what rises or falls": Letter(
        "Pressure is down by 45%, and 6% of homes see brown water. Throughput fell by "
        "30%. 12% of calls drop.",
        ("Pressure has dropped 45%.", "We see 45% less pressure.", "Throughput is 30% lower."),
        _all_new("45% of homes see brown water.", "30% of calls drop.", "Pressure is down by 6%."),
    ),
    "a share of those is one of what stands before it": Letter(
        "41 shops were supplied, and the loaves make up 12% of the batch. 480 orders "
        "wait, 7% of those placed.",
        ("480 orders, 7% of those placed, wait.", "The loaves are 12% of the batch."),
        _all_new("41 shops, 12% of those we serve, were supplied.", "41 shops (7% of those in town) wait."),
    ),
    "a label says what a number is of": Letter(
        "112 employers are waiting. 40 orders are late. 11% of farms have alarms. Some parcels are hit and "
        "barns are shut.",
        ("Employers waiting: 112", "Orders late: 40", "Farms with alarms: 11%"),
        _all_new("Orders waiting: 112", "Parcels late: 40.", "Barns with alarms: 11%"),
    ),
    "a share after a colon is one of what stands before it": Letter(
        "Ticket orders are failing: about 8% end with a warning. Points lost in failed orders return.",
        ("About 8% of ticket orders are ending with a warning.",),
        _all_new("About 8% of points are lost."),
    ),
    "what a number is said with in its clause names it too": Letter(
        "7,300 messages sent through Marlow SMS wait, and 3 SMS routes are shut. Voice is up.",
        ("7,300 Marlow SMS messages wait.",),
        _all_new("7,300 voice messages wait."),
        {"undelivered_messages": 7300},
    ),
    "parts of the day that are named": Letter(
        "Sorry for the cold evening. Night taxis accept passes. Evening speeds are low. "
        "Lunch accounts are wrong. "
        "The branch closes at six.",
        (
            "Look in on your neighbours this evening.",
            "Passes are accepted by night taxis.",
            "Speeds are low in the evening.",
            "Sorry for the confusion around lunch accounts.",
            "It went to the night team.",
            "We write before closing time.",
        ),
        _all_new(
            "It will be fixed this evening.",
            "It is ready by evening.",
            "We call you by lunch.",
            "We hope to be done by night.",
            "Come by tonight.",
            "Trains stop in the afternoon.",
            "We write before opening time.",
        ),
    ),
    "parts of the day into which a known time falls": Letter(
        "The pipe broke on Sunday 15 March at 20:45 and the cellar was dry by 2:30 am. We rang you at 14:10.",
        (
            "The pipe broke on Sunday evening.",
            "It has been so since that Sunday, in the evening.",
            "The cellar was dry in the night.",
            "The call came in the afternoon.",
        ),
        _all_new(
            "The pipe broke on Monday evening.",
            "The pipe broke on Sunday morning.",
            "It will be fixed this evening.",
            "We rang you in the morning.",
        ),
    ),
    "hours in words": Letter(
        "The shop is open from 09:00 to 16:30 and the bar from 17:00 until 23:00. Power failed at 18:40. "
        "The till froze at 9:50.",
        (
            "You find us here from nine till half past four.",
            "The bar is open between five and eleven.",
            "At eleven I turn the key.",
            "We have had no power since twenty to seven on that day.",
            "It froze at ten to ten that day.",
            "Shop hours: nine to half past four.",
        ),
        _all_new(
            "You find us here from ten till half past four.",
            "The bar is open between six and eleven.",
            "At ten I turn the key.",
            "We have had no power since twenty to eight on that day.",
            "Eleven guests wait.",
            "The till froze, and 9 lamps went out.",
            "The price rose to 5.",
        ),
    ),
    "an hour and a part of it": Letter(
        "The lines are out of order for 90 minutes.",
        ("It takes about an hour and a half of work.",),
        _all_new("It takes about an hour and a quarter of work.", "It takes about an hour of work."),
    ),
    "a month that begins a line is a verb": Letter(
        "Sessions that are running may end. The hubs ran hot on July 12.",
        ("Affected: sessions\nMay end: those that are running",),
        _all_new("Affected: sessions\nMay 12: the hubs ran hot", "It began in May."),
    ),
    "two days of a month with a stroke": Letter(
        "The change is planned for 17 and 18 October.",
        ("Planned: 17/18 October",),
        _all_new("Planned: 17/19 October", "Planned: 16/18 October", "17/18 of the orders are late."),
    ),
    "a weekday of which a part was named": Letter(
        "The book was closed on Thursday afternoon.",
        ("It was closed on a Thursday.",),
        _all_new("It was closed on a Friday.", "It was closed on Thursday morning."),
    ),
    "a language that was named": Letter(
        "Visitors in Spain see the page in Portuguese.",
        ("The Portuguese page is shown in Spain.",),
        (("The French page is shown in Spain.", REGION), ("Visitors in Portugal see it.", REGION)),
    ),
    "initials of numbered things, names and codes": Letter(
        "The belts in Terminal 2 are slow. A main has burst on Mill Road. 2 W-2 forms are wrong, and 5,600 "
        "robots of the series S2.",
        (
            "T2 belts are slow.",
            "The burst is on Mill Rd.",
            "The W-2s are wrong.",
            "It hit 5,600 S2 robots.",
        ),
        _all_new(
            "T3 belts are slow.",
            "The burst is on Hill Rd.",
            "The burst is on Mill Ave.",
            "The burst was found by Teal Mains.",
            "It lasted 5,600 s.",
            "It takes 2s.",
        ),
    ),
    "capitals are no unit of time": Letter(
        "HR admins can write to us.",
        ("As an HR admin, write to us.", "Ask an HR clerk."),
        _all_new("It takes an hr.", "Back in 2 HR.", "It takes an hour."),
    ),
    "severities told by their level": Letter(
        "The case is P2.",
        (
            "We treat it as a level-two priority.",
            "Your fare was upgraded to first class.",
            "The tram was lowered to street level.",
            "We raised the matter with a major supplier.",
            "We regret this major disruption.",
        ),
        (
            ("We treat it as a level-one severity.", SEVERITY),
            ("It is a tier 1 severity.", SEVERITY),
            ("It was raised to our top level.", SEVERITY),
            ("We have upgraded the case to critical.", SEVERITY),
            ("Work goes on at the topmost severity.", SEVERITY),
        ),
        {"severity": "P2"},
    ),
    "a severity that is a level": Letter(
        "Pumps stand still.",
        ("It is a level-two severity.", "It has severity 2."),
        (("It is a level-one severity.", SEVERITY), ("It has severity 1.", SEVERITY)),
        {"severity": "level 2"},
    ),
    "ticket numbers in groups": Letter(
        "Mention ticket 77-20415.",
        ("It is ticket 77-20415.",),
        (
            ("It is ticket 77-20416.", INCIDENT),
            ("See case number 4410-22.", INCIDENT),
            ("We have tickets 10-15 left.", NEW),
        ),
    ),
    "names at work, and names of places": Letter(
        "Bank files are being rejected. Checkout is slow. Pumps stand still. They are replaced.",
        (
            "Checkout is rejecting cards.",
            "Support is handling your request.",
            "Dispatch is handling it.",
            "Payroll is reviewing the files.",
            "They are replaced; Pumps may stop.",
        ),
        (
            ("Unicredit is rejecting the bank files.", NEW),
            ("They are replaced; Purolator may bring them.", NEW),
            ("Files in Snowflake are late.", NEW),
            ("Deliveries in Flanders are late.", REGION),
            ("Homes across Munster are cold.", REGION),
            ("Throughout the Algarve pumps stand still.", REGION),
        ),
    ),
    "words that leave nobody out": Letter(
        "Some merchants report slow pages. Some homes have low pressure. Some "
        "pharmacies see duplicates. Agents "
        "may see an error. 26 clusters were read-only. Some prints have a green cast. All deadlines move.",
        (
            "We answer letters without exception.",
            "We thank partners across the board.",
            "What you send makes it into the book without exception.",
            "Every pharmacy keeps its book.",
            "We check nearly every poster.",
            "We looked at almost every option.",
            "Our entire staff is working on it.",
            "Nobody's details left our systems.",
            "The deadlines, all of them, move.",
            "Cash or no cash, you may ride.",
        ),
        _all_new(
            "Pages are slow, say merchants across the board.",
            "Homes, without exception, have low pressure.",
            "Every pharmacy will see duplicates.",
            "Each pharmacy may face duplicates.",
            "There is a green cast on virtually every print.",
            "Practically your entire staff will have met this.",
            "Nobody's card is read.",
            "Homes, all of them, have low pressure.",
        ),
    ),
    "words that move before their noun": Letter(
        "8,400 messages sent through Pinglark SMS have not been delivered. Chat messages work.",
        ("8,400 Pinglark messages have not been delivered.",),
        _all_new("8,500 Pinglark messages have not been delivered."),
    ),
    "money by the name of its country": Letter(
        "The difference is CHF 36 on average. You pay SEK 60. The label costs 1.90 EUR.",
        (
            "It differs by 36 Swiss francs.",
            "You pay 60 Swedish kronor.",
            "Not a euro more.",
            "A euro amount shows.",
        ),
        (
            ("You pay 60 Norwegian kroner.", NEW),
            ("It differs by 37 Swiss francs.", NEW),
            ("Swiss trains are late.", REGION),
        ),
    ),
    "things that are reported, and paid": Letter(
        "1,800 pensions are late. Worldwide, 880 episodes are late.",
        ("Reports so far: 640.", "1,800 payments are late.", "880 worldwide so far."),
        _all_new("881 worldwide so far.", "640 episodes are late.", "1,800 members are late."),
        {"members_reporting": 640},
    ),
    "a range gives its near end the half of the day, and no zone that it has not": Letter(
        "The hall is open from 6 pm to 8 pm. The jobs ran between 06:40 UTC and 08:05 CET.",
        ("The hall is open 6-8 pm.", "The hall is open from 6 to 8 pm.", "The jobs began at 06:40 UTC."),
        _all_new(
            "The hall is open 5-8 pm.",
            "The hall is open from 6 am to 8 pm.",
            "The jobs began at 06:40 CET.",
            "The jobs ended at 08:05 UTC.",
        ),
    ),
    "each day of a list is a date": Letter(
        "The jobs ran on September 2, 3 and 4, 2026.",
        ("One ran on 3 September 2026.", "One ran on September 4."),
        _all_new("One ran on 5 September.", "One ran on 4 September 2025.", "One ran on 3 October."),
    ),
    "a share or a time after a date is no further day of it": Letter(
        "On September 2, 3% of orders failed. On September 9, 14:30 was the start.",
        ("3% of orders failed on September 2.", "It began at 14:30 on September 9."),
        _all_new(
            "They failed on September 3.", "4% of orders failed on September 2.", "It began on the 14th."
        ),
    ),
    "days before a date share its month only in its list": Letter(
        "In rack 7 it ran on 8 and 9 September.",
        ("It ran on 8 September.", "It ran in rack 7 on September 9."),
        _all_new("It ran on 7 September.", "It ran on 9 September, 8.5 and 8."),
    ),
    "a count and a share joined by and are no range": Letter(
        "The fault is in rack 5 and 40% of orders fail.",
        ("Rack 5 has the fault.", "40% of orders fail."),
        _all_new("5% of orders fail."),
    ),
    "a year of a known date is known": Letter(
        "We moved on 5 May 2024.", ("We moved in 2024.",), _all_new("We moved in 2025.")
    ),
    "a year may have two digits": Letter(
        "It is of 3/6/26.",
        ("It is of 3 June 2026.", "It is of March 6, 2026."),
        _all_new("It is of March 7, 2026.", "It is of 3 June 2025."),
    ),
    "a day of the next month is another than that of this month": Letter(
        "We close on the 5th of next month.",
        ("On the fifth of next month we close.",),
        _all_new("We close on the 5th of this month.", "We close on 5 May."),
    ),
    "a noun of the context has the modifiers of the original": Letter(
        "Instant payments are slow. Foreign banks wait.",
        ("40 instant payments are queued.",),
        _all_new("40 foreign payments are queued."),
        {"queued_payments": 40},
    ),
    "a date that begins with its year has the month next": Letter(
        "The report is of 2026-03-06.",
        ("The report is of 6 March 2026.",),
        _all_new("The report is of June 3, 2026.", "The report is of 3 June 2026."),
    ),
    "a part of the day says which half an hour is in": Letter(
        "It began this evening at 5:20.",
        ("It began at 17:20.", "It began at 5:20 pm."),
        _all_new("It began at 5:20 am.", "It began this morning at 5:20."),
    ),
    "days and hours of a list or a range share month and zone": Letter(
        "The jobs ran on 2, 3 and 4 September 2026, between 06:40 and 08:05 CET. Racks 4 to 9 in our hall "
        "were sold between March and August 2024.",
        (
            "Jobs of September 2, 3 and 4, 2026.",
            "Those of September 2 and 3.",
            "It began at 06:40 CET.",
            "It concerns racks 4 to 9.",
            "They were sold from March to August 2024.",
        ),
        _all_new(
            "Jobs of September 2, 3 and 5, 2026.",
            "It began at 06:40 EST.",
            "Call us at 4 to 9.",
            "Your February bill.",
        ),
    ),
    "rupees have an abbreviation": Letter(
        "You get a rebate of Rs 150.",
        ("You get ₹150 back.", "The rebate is 150 rupees.", "The rebate is Rs. 150."),
        _all_new("You get Rs 160 back.", "The rebate is ₹15."),
    ),
    "a code is itself without its label and in the plural": Letter(
        "Your tax code 1257L applies, and the K4 batteries are late.",
        ("We use 1257L.", "The K4s are late."),
        _all_new("We use 1258L.", "The K5s are late."),
    ),
    "hours may be words, noon and 13:00 this morning": Letter(
        "Check-out is at 13:00 for guests of this morning. The desk is open from 10 to 12 and from 15:00 to "
        "18:00, the office from 17:00 to 18:30.",
        (
            "Check out until 13:00 this morning.",
            "The desk is open between 10 and noon.",
            "Come from ten to twelve or from three till six.",
            "The office opens between five and half past six in the evening.",
        ),
        _all_new(
            "Check out until 14:00 this morning.",
            "The desk is open between 11 and noon.",
            "Come from ten to four.",
            "The office opens between five and half past seven in the evening.",
        ),
    ),
    "the middle of a month is mid-month": Letter(
        "The team starts in the middle of November, the course in mid-June.",
        ("The team starts in mid-November.", "The course starts in the middle of June."),
        _all_new("The team starts at the end of November.", "The course starts in mid-July."),
    ),
    "days of a list may be ordinals, also without their month": Letter(
        "The shows on 14 and 22 May are cancelled.",
        (
            "The shows on the fourteenth and twenty-second of May are cancelled.",
            "No show takes place on the twenty-second.",
        ),
        _all_new(
            "The shows on the fifteenth and twenty-second of May are cancelled.",
            "No show takes place on the twenty-third.",
            "There is a twenty-second delay.",
        ),
    ),
    "neither, half and a day off state nothing, and options may be numbered in words": Letter(
        "The app and the website work. You can wait or cancel your visit. Wardrobes are not finished.",
        (
            "Neither the app nor the website has a fault.",
            "Option one: wait. Option two: cancel.",
            "Sorry for your half-built wardrobe.",
            "You had arranged a day off for the visit.",
        ),
        _all_new(
            "Nobody can use the website.",
            "Half of the wardrobes are not finished.",
            "The repair takes a day.",
            "You have two visits.",
        ),
    ),
    "a known rate may be told with its number": Letter(
        "The ferry is out of service.",
        ("We run two buses an hour.", "There are buses, two per hour."),
        _all_new("We run three buses an hour.", "We run two buses a day.", "The repair takes an hour."),
        {"buses_per_hour": 2},
    ),
    "minutes before an hour are a time beside a zone or with a word for them": Letter(
        "It is rolled back since 6:50 UTC. Water came back at 3:45 pm. The rack is off since 11:58 CEST.",
        (
            "It is rolled back since ten to seven UTC.",
            "At a quarter to four water came back.",
            "The rack is off since two minutes to noon CEST.",
        ),
        _all_new("It is rolled back since ten to eight UTC.", "At a quarter to five water came back."),
    ),
    "metres, rooms and years look like minutes, factors and durations": Letter(
        "The stop is 350 metres away. One of two X-ray rooms is closed. Years 7 and 8 stay home. Prices are "
        "held for 48 hours.",
        (
            "The stop is 350 m away.",
            "One X-ray room is closed.",
            "Is your child in Year 7 or Year 8?",
            "Prices are held for two days, 48 hours.",
        ),
        _all_new("The stop is 450 m away.", "Prices are held for two days, 24 hours."),
    ),
    "days of a range may be ordinals": Letter(
        "Shirts sold from 3 to 9 October shrink.",
        ("Shirts sold between the third and the ninth of October shrink.",),
        _all_new("Shirts sold between the third and the tenth of October shrink."),
    ),
    "a capitalized thing keeps its number beside another noun": Letter(
        "We have repaired the SmartPay 2 meters.",
        ("SmartPay 2 users can pay.",),
        _all_new("We have repaired 2 shops."),
    ),
    "numbers of keys, in other words": Letter(
        "Orders wait. We recall the kettle.",
        (
            "You have been waiting for nine days.",
            "340 Gbit/s at its peak.",
            "Four rooms are wet.",
            "We sold 6,800 kettles.",
            "3 percent of clients pin it.",
            "We write every third of an hour.",
            "It is on your March bill.",
        ),
        _all_new(
            "You have been waiting for eight days.",
            "340 seconds at its peak.",
            "Four kettles are wet.",
            "We write every quarter of an hour.",
            "It is on your April bill.",
        ),
        {
            "days_waiting": 9,
            "peak_gbit_s": 340,
            "flooded_classrooms": 4,
            "units_sold": 6800,
            "pinned_clients_pct": 3,
            "update_interval_minutes": 20,
            "bill_month": "March",
        },
    ),
    "the ends of a change, and numbers beside their verb": Letter(
        "The share of returned transfers has fallen from 7.4% to 2.1%. About 310 files uploaded since "
        "10:00 may be lost, and 14% of searches fail.",
        ("The share of returns is now 2.1%.", "Some 310 uploads are lost."),
        _all_new(
            "2.1% of searches fail.",
            "310 searches are lost.",
            "14% of transfers are returned.",
            "The share of returned transfers has risen from 2.1% to 7.4%.",
        ),
    ),
    "both and out of, said otherwise": Letter(
        "Both entries are false. Batch 1 of 4 is finished. 41 buses are late.",
        ("The two entries are false.", "We have one out of 4 behind us.", "41 vehicles are late."),
        _all_new(
            "The two shops are shut.",
            "One out of 5 is done.",
            "41 drivers are late.",
            "41 machines are late.",
        ),
    ),
    "names that hold a date, an hour or a place": Letter(
        "March statements may be late. It began when winter timetable data was loaded. We saw it on Friday "
        "at 10. Ask Acme Trains.",
        (
            "Your statement for March is late.",
            "It was noticed on Friday at 10 by our staff.",
            "Tickets are late due to the winter timetable.",
            "Wave C had it, and item 4: tickets.",
        ),
        _all_new(
            "Your statement for April is late.",
            "It was noticed on Friday at 11 by our staff.",
            "It lasts until winter.",
            "It is due in mid-March.",
            "It is due in May.",
        ),
    ),
    "a rate is not rated": Letter(
        "Some calls fail.",
        ("We close once the error rate has been low again.", "The scores of the day are late."),
        (
            ("We rate this high.", SEVERITY),
            ("Our team now rates it critical.", SEVERITY),
            ("Scores of calls are late.", NEW),
        ),
        {"severity": "low"},
    ),
    "idioms of number": Letter(
        "Nothing left our office.",
        ("It never left our own four walls.", "We are back to square one.", "They are two steps ahead."),
        _all_new("Four pools are cracked.", "Two pools are shut."),
    ),
}


def _codes(letter: Letter, revised: str) -> list[str]:
    found = find_new_facts(
        revised=read(revised), original=read(letter.original), context=known_context(letter.context)
    )
    return [finding.code for finding in found]


@pytest.mark.parametrize("name", LETTERS)
def test_repeated_facts_are_known_and_similar_ones_are_new(name: str) -> None:
    letter = LETTERS[name]
    assert {revised: found for revised in letter.known if (found := _codes(letter, revised))} == {}
    missed = [revised for revised, code in letter.new if _codes(letter, revised)[:1] != [code]]
    assert missed == []
