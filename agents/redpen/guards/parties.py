"""Named parties: companies and people that a text brings in by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.places import PLACES
from redpen.guards.quantities_lexer import Pieces
from redpen.guards.readings import Fact, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator


VENDORS = frozenset(
    "stripe|aws|amazon|amazon web services|google|google cloud|gcp|microsoft|azure|cloudflare|paypal|visa|"
    "mastercard|"
    "amex|american express|adyen|braintree|worldpay|checkout.com|klarna|affirm|afterpay|plaid|twilio|"
    "sendgrid|mailgun|"
    "mailchimp|postmark|sparkpost|okta|auth0|onelogin|ping identity|fastly|akamai|datadog|new relic|"
    "splunk|pagerduty|"
    "opsgenie|snowflake|databricks|confluent|mongodb|elastic|github|gitlab|bitbucket|atlassian|jira|slack|"
    "zoom|"
    "salesforce|zendesk|intercom|hubspot|servicenow|shopify|bigcommerce|magento|oracle|ibm|vmware|heroku|"
    "vercel|"
    "netlify|digitalocean|linode|ovh|ovhcloud|hetzner|equinix|alibaba|tencent|apple|facebook|meta|"
    "whatsapp|telegram|"
    "twitter|linkedin|openai|anthropic|crowdstrike|zscaler|cisco|juniper|verizon|comcast|vodafone|"
    "telefonica|orange|"
    "deutsche telekom|level 3|lumen|cogent|godaddy|verisign|namecheap|route 53|cloudfront|s3|ec2|dynamodb|"
    "fivetran|"
    "airbyte|segment|amplitude|mixpanel|redis labs|kafka|rabbitmq|fedex|ups|dhl|wise|revolut|square|"
    "coinbase|swift|"
    "jpmorgan|chase|barclays|hsbc|citi|citibank|wells fargo|bank of america|discover|western union|apple "
    "pay|google pay|"
    "paypal checkout|outlook|gmail|office 365|microsoft 365|yahoo|t-mobile|at&t|sentry|grafana|statuspage|"
    "fiserv|"
    "global payments|marqeta|sift|persona|onfido|docusign|dropbox|box|notion|workday|sap|xero|"
    "quickbooks|intuit".split("|")
)
"""Companies that supply such services, in lower case."""

VENDOR_STARTS = frozenset(Pieces(name).low[0] for name in VENDORS)
"""Words at which the name of one of them begins."""

_WORDS_TOO = frozenset(
    "affirm wise square segment orange meta elastic swift chase discover lumen box notion persona sift "
    "ups cogent "
    "stripe visa apple oracle slack zoom intercom sap citi plaid amazon twitter confluent sentry jira "
    "statuspage "
    "kafka".split()
)
_WORDS_AT_START = frozenset(
    "affirm wise square segment orange meta elastic swift chase discover box notion sift ups "
    "cogent slack".split()
)
_CUES = frozenset(
    "vendor provider partner supplier processor carrier host acquirer contractor reseller integrator bank "
    "gateway "
    "subcontractor registrar insurer".split()
)
_SAYS = frozenset(
    "said says confirmed confirms reported reports told announced acknowledged states stated".split()
)
_ACTS = _SAYS | frozenset("has have had is was will can are were did does".split())
_COMPANY = frozenset("Inc Ltd LLC GmbH Corp PLC AG SA BV Pty Co Limited Incorporated".split())
_BEFORE_NAME = frozenset(
    "with by from at via through to of and for our on against using behind named called the vendor "
    "provider partner "
    "supplier processor manager engineer director ceo cto mr mrs ms dr contact ask call tell told".split()
)
_ORDINARY = frozenset(
    "i we our us you your it its this that these those they the a an and or but if in on at to for from "
    "of as is are "
    "no not yes all any some please thank thanks sorry hello hi dear regards sincerely best "
    "support status page team teams operations operation engineering engineer engineers incident "
    "commander manager "
    "customer customers success service services desk center centre help portal account accounts billing "
    "payment "
    "payments checkout checkouts platform product products api apis dashboard console app application "
    "mobile web "
    "website site store order orders update updates impact current next steps step action actions summary "
    "overview "
    "timeline details detail what why how when where who monitoring communications communication response "
    "security "
    "network infrastructure database data pipeline delivery mail email emails messaging message messages "
    "webhook "
    "webhooks login sign signin single authentication identity access domain name names system systems "
    "internet web "
    "reliability site release management on-call escalation investigation mitigation resolution recovery "
    "root cause "
    "workaround known issue issues degraded degradation partial outage major minor critical performance "
    "availability "
    "latency error errors rate rates failed failure failures chargeback chargebacks alert alerts eta "
    "affected "
    "scope region regions severity priority id number report reports date time zone office business "
    "leadership "
    "executive finance legal compliance privacy policy terms trust safety community developer developers "
    "docs "
    "documentation knowledge base faq faqs macro macros template ticket tickets case cases enterprise "
    "premium "
    "standard free pro plus basic member members user users merchant merchants client clients partner "
    "partners "
    "vendor provider processor gateway card cards credit debit bank transfer transfers invoice invoices "
    "refund "
    "refunds subscription subscriptions cart basket settings profile history queue queues worker workers "
    "job jobs "
    "batch export exports import imports search index cache server servers cluster node nodes zone zones "
    "backup "
    "backups storage file files upload uploads download downloads report reporting analytics insight "
    "insights "
    "notification notifications push sms voice call calls chat live center queue "
    "confirmed investigating identified monitoring resolved ongoing open closed degraded operational "
    "internal "
    "external public private new old first second third one two three four five six seven eight nine ten "
    "note "
    "important warning notice attention reminder q&a question questions answer answers reference references "
    "january february march april may june july august september october november december jan feb mar "
    "apr jun jul "
    "aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed "
    "thu thur thurs "
    "fri sat sun today tomorrow yesterday english internet wi wifi bluetooth ios android windows mac "
    "linux chrome "
    "safari firefox edge excel pdf csv json saml oauth github java python sev p unknown tbd tba asap fyi "
    "eod utc gmt "
    "pst est cet am pm ok okay god christmas easter black cyber boxing health wellness classroom portal "
    "admin "
    "administrator administrators control panel center home menu button link pay now retry again submit "
    "continue "
    "inbox outbox spam drafts sent settings tools options preferences help about contact".split()
)


def parties(pieces: Pieces, taken: bytearray, vendors: set[int]) -> Iterator[Fact]:
    """Yield the named parties of a text.

    Args:
        pieces: the text.
        taken: one byte a piece, set where another rule has read it.
        vendors: where one of ``VENDOR_STARTS`` stands.

    Yields:
        Facts whose value is the name in lower case: known companies anywhere, other names where they stand
        capitalised inside a sentence and no heading explains the capital.
    """
    shouting: dict[int, bool] = {}
    done = 0
    low, raw = pieces.low, pieces.raw
    capitals = [place for place, (word, folded) in enumerate(zip(raw, low, strict=True)) if word != folded]
    for index in sorted({*capitals, *vendors}) if vendors else capitals:
        if index < done or taken[index] or not pieces.is_word[index]:
            continue
        capital = raw[index][0].isupper()
        end = _vendor(pieces, index) if index in vendors and (capital or low[index] in VENDORS) else 0
        if not end and capital:
            end = _name(pieces, index, taken, shouting)
        if end:
            yield _found(pieces, index, end)
            done = end


def _found(pieces: Pieces, index: int, end: int) -> Fact:
    start, last = pieces.starts[index], pieces.ends[end - 1]
    text = pieces.text[start:last]
    value = text.lower().removesuffix("'s")
    return Fact(
        readings=(Reading(kind="party", value=" ".join(value.split())),), start=start, end=last, text=text
    )


def _vendor(pieces: Pieces, index: int) -> int:
    """Return the index after a known company that begins here, or 0."""
    low, raw = pieces.low, pieces.raw
    for length in (4, 3, 2, 1):
        end = index + length
        if end > pieces.count:
            continue
        name = pieces.text[pieces.starts[index] : pieces.ends[end - 1]].lower().removesuffix("'s")
        if name not in VENDORS:
            continue
        if length == 1 and low[index] in _WORDS_TOO and not raw[index][0].isupper():
            continue
        if length == 1 and low[index] in _WORDS_AT_START and _opens(pieces, index) and low[end] not in _ACTS:
            continue
        if length == 1 and not raw[index][0].isupper() and len(name) < 4 and name != "aws":
            continue
        return end
    return 0


def _opens(pieces: Pieces, index: int) -> bool:
    """Whether the piece begins a sentence, a line, a quotation, a label or a list item."""
    if index == 0 or pieces.broken(index - 1):
        return True
    return pieces.low[index - 1] in (
        ".",
        "!",
        "?",
        ":",
        "-",
        "–",
        "—",
        "•",
        '"',
        "“",
        "(",
        "*",
        "#",
        "|",
        ";",
        "/",
        "[",
        "'",
        ">",
        "…",
    )


def _name(
    pieces: Pieces,
    index: int,
    taken: bytearray,
    shouting: dict[int, bool],
) -> int:
    low, raw = pieces.low, pieces.raw
    if not _unknown(low[index]):
        return 0
    word = raw[index].removesuffix("'s")
    opens = _opens(pieces, index)
    camel = (
        len(word) > 3
        and any(char.isupper() for char in word[1:])
        and not word.isupper()
        and not word[:-1].isupper()
    )
    if word.isupper() and len(word) > 1:
        return 0
    company = raw[index + 1] in _COMPANY and pieces.low[index + 2] != "-"
    cued = index > 0 and low[index - 1] in _CUES
    if opens and not cued and not camel and not company and not _reports(pieces, index):
        return 0
    if len(word) < 3 or not word.isascii() or _title(pieces, index, shouting):
        return 0
    end = index + 1
    while (
        end < pieces.count
        and end < index + 4
        and raw[end][0].isupper()
        and pieces.is_word[end]
        and not taken[end]
        and not pieces.broken(end - 1)
        and (_unknown(low[end]) or raw[end] in _COMPANY)
    ):
        end += 1
    return end


def _reports(pieces: Pieces, index: int) -> bool:
    low = pieces.low
    following = low[index + 1]
    if following in {"has", "have"}:
        following = low[index + 2]
    return following in _SAYS and not low[index].endswith(("s", "ing", "er", "ers", "one", "body"))


def _unknown(word: str) -> bool:
    bare = word.removesuffix("'s")
    return not (bare in _ORDINARY or bare.rstrip("s") in _ORDINARY or bare in PLACES) and "'" not in bare


def _title(pieces: Pieces, index: int, seen: dict[int, bool]) -> bool:
    """Whether the line or sentence piece reads as a heading: most of its longer words are capitalised."""
    place = pieces.starts[index]
    begin = pieces.text.rfind("\n", max(0, place - 200), place) + 1
    if begin in seen:
        return seen[begin]
    stop = pieces.text.find("\n", place, place + 200)
    line = pieces.text[begin : stop if stop >= 0 else place + 200]
    words = [word for word in line.split() if len(word) > 3 and word[0].isalpha()]
    capital = sum(1 for word in words if word[0].isupper())
    seen[begin] = len(words) > 1 and capital * 4 >= len(words) * 3
    return seen[begin]
