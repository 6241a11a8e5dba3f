"""Phrases that say that nobody saw, took or touched anything, or that all of it is still there."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_said = partial(Phrase, "reassurance", "always")
_denied = partial(Phrase, "reassurance", "denied")
_stated = partial(Phrase, "reassurance", "word")

EXPOSURE = (
    _said(
        "nobody/noone/none/no *? @outsiders * @sees your/any/the/customer/customers/card/personal/private/"
        "account/bank/payment/these/its/to/of/hold/in/into/it/them",
        "Nobody outside has seen your card details.",
        "Nobody knows yet who saw your card details.",
    ),
    _said(
        "nobody/noone/no one? ~have *? @sees hold? at/of/to/into? your/any/customer/customers/card/personal/"
        "private/account/bank/payment",
        "Nobody has seen your card details.",
        "Nobody has answered your message yet.",
        unless="yet us team engineers",
    ),
    _said(
        "no one? but/except us/you/our",
        "No one but us had access.",
        "No one has an answer, but we are looking.",
    ),
    _said(
        "outsiders/outsider/strangers/stranger/attackers/attacker/hackers/hacker/intruders/criminals/thieves/"
        "fraudsters/parties/others * not *? @sees",
        "Strangers could not see your messages.",
        "We cannot say whether strangers could see your messages.",
        unless="whether if",
    ),
    _said(
        "no attackers/attacker/hackers/hacker/intruders/intruder/outsiders/outsider/strangers/stranger/"
        "criminals/thieves/thief/breach/break-in",
        "No outsider was involved.",
        "We are checking for attackers.",
    ),
    _said(
        "nobody/noone/no one? * ~break/~hack/~get/~log/~sign in/into your/any/our/the",
        "Nobody can sign into any account.",
        "We do not know who got into the account.",
        unless="yet",
    ),
    _denied(
        "@private * ~be/~have *? shared/touched/tampered/altered/modified/changed/manipulated/copied/deleted/"
        "erased/wiped/viewed/leaked/sold/stolen/taken/damaged/harmed/involved/exposed/compromised/concerned/"
        "overwritten/disclosed",
        "No recordings were overwritten.",
        "Your grades have been altered.",
        unless="yet until",
    ),
    _said(
        "@private * not *? @handled",
        "Your balance has not been abused.",
        "We do not know whether your balance was touched.",
        unless="yet whether if know confirmed updated synced may might should please can cannot could able "
        "until form share number rate since because",
    ),
    _stated(
        "@private ~be/~stay/~remain *? still? there/here/yours/private/untouched/accounted/protected/safe/"
        "insured/encrypted/backed",
        "Your money is still here.",
        "We cannot say whether your money is still there.",
        unless="once",
    ),
    _stated(
        "@private ~be *? where it/they should/belong/belongs/were/was/always",
        "Your funds are where they belong.",
        "Your funds are not where they should be.",
    ),
    _stated(
        "@private ~stay/~stays/~remain with us/you",
        "Your card number stays with us.",
        "Your card number does not stay with us.",
    ),
    _stated("@private * ~survive", "All stored data survived.", "We do not know which data survived."),
    _stated(
        "held/kept/stored/saved/parked/queued/backed safely/securely",
        "Each message is held safely.",
        "We cannot say whether messages are held safely.",
    ),
    _stated("lock and key", "Files remain under lock and key.", "The lock and its key differ."),
    _denied(
        "~leave the/our/your/their building/company/premises/house/country/region/network/office/phone/"
        "phones/device/devices/computer/computers/hands/possession/pocket",
        "Your money has not left the building.",
        "The team has left the building.",
    ),
    _said(
        "nothing/none/no *? your/the? * ~be gone/missing/deleted",
        "None of your purchases are gone.",
        "Some of your purchases are gone.",
        unless="yet whether know if",
    ),
    _said(
        "nobody/noone/one/customer/not ~pay/pays *? too/more/extra/twice/double",
        "Nobody pays too much.",
        "Some customers pay twice.",
        unless="please should",
    ),
    _said("not gone/going anywhere", "Your money has not gone anywhere.", "Your money has gone somewhere."),
    _said("nothing can/could/will be/get lost", "Nothing can be lost.", "Something can be lost."),
    _denied(
        "~go missing/astray/amiss/awry",
        "Not one file has gone amiss.",
        "A file has gone missing.",
    ),
    _denied(
        "order/orders/message/messages/file/files/photo/photos/data/money/payment/payments/record/records/"
        "booking/bookings/funds ~have *? disappeared/vanished/evaporated/leaked/escaped",
        "None of the orders have disappeared.",
        "Some of the orders have disappeared.",
    ),
    _said(
        "no evidence/sign/signs/indication/indications/trace/hint/proof/suggestion of/for *? "
        "fraud/misuse/abuse/intrusion/hacking/tampering/foul/attack/wrongdoing/phishing/unauthorised/"
        "unauthorized/third/malicious/suspicious",
        "There is no evidence of abuse.",
        "We look for evidence of fraud.",
    ),
    _said(
        "no/without reason/grounds/cause/basis to believe/think/suspect/assume/fear",
        "We have no reason to believe that data was seen.",
        "We have reason to believe so.",
    ),
    _said(
        "not *? security/cyber/data incident/issue/breach/event/attack/matter/problem",
        "This is not a security incident.",
        "We do not know whether it is a security incident.",
        unless="know whether confirmed",
    ),
    _said(
        "not ~be? hacked/attacked/breached/infiltrated",
        "We were not attacked.",
        "We were hacked.",
        unless="know whether confirmed",
    ),
    _said(
        "no/none/nothing personal/sensitive/private/confidential/customer/card/financial/payment/account? "
        "data/information/details/sensitive/confidential/valuable ~be *? involved/concerned/exposed/affected",
        "Nothing confidential is involved.",
        "Personal data is involved.",
    ),
    _said(
        "not/no in? question/doubt $",
        "The integrity of your data is not in question.",
        "The estimate is in question.",
    ),
    _denied(
        "~be charged/billed/debited twice/double/again/wrongly/more",
        "Nobody has been charged twice.",
        "Some customers have been charged twice.",
    ),
    _stated(
        "cosmetic/immaterial/inconsequential/insignificant",
        "The effect is purely cosmetic.",
        "The effect is not cosmetic.",
    ),
    _said(
        "nobody/none/noone * can/could read/see/overhear/view a/any/your/them/their/the/what",
        "Nobody outside your chats could read a thing.",
        "Somebody may read it.",
        unless="know whether if some login page app once until every each someone",
    ),
    _said(
        "never left our/your/the/their/its",
        "Your texts never left our vault.",
        "The train has left the station.",
        unless="whether if",
    ),
    _said(
        "~stay/~remain/~keep between you and",
        "What was said stayed between you and your guests.",
        "The choice is between you and us.",
    ),
    _stated(
        "safely on file/record/stored/saved/kept/filed",
        "Your answers are safely on file.",
        "Your answers are not safely on file.",
    ),
    _said(
        "nobody/noone/no/none one? can/could/will/would/is/was *? able? to? ~get/~reach/~log/~look/~break at/"
        "to/into/hold/in/through of? your/the/any *? @private",
        "No one can get at your money.",
        "No one can get to the page.",
        unless="page app site whether if know",
    ),
    _stated(
        "we/us ~keep/~hold/~store/~guard your/the/all/every *? @private *? safe/secure/private/protected/"
        "confidential/encrypted/safely/securely",
        "We keep your payment details safe.",
        "Please keep your password safe.",
        unless="whether if",
    ),
)
