"""Words and signs of units: time, percent, money, multipliers; and the words that end a noun phrase."""

from __future__ import annotations

from fractions import Fraction

from redpen.guards.quantities_numbers import TENS, UNITS

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

TIME: dict[str, Fraction] = {
    word: Fraction(seconds)
    for seconds, words in (
        (Fraction(1, 1000), "ms msec msecs millisecond milliseconds millis"),
        (1, "s sec secs second seconds"),
        (_MINUTE, "m min mins minute minutes"),
        (_HOUR, "h hr hrs hour hours"),
        (_DAY, "d day days"),
        (7 * _DAY, "w wk wks week weeks"),
        (14 * _DAY, "fortnight fortnights"),
        (30 * _DAY, "mo month months"),
        (90 * _DAY, "quarter quarters"),
        (365 * _DAY, "yr yrs year years"),
        (3650 * _DAY, "decade decades"),
    )
    for word in words.split()
}
GLUED_TIME = frozenset("s m h d w mo".split())
"""Letters that are units only right after digits."""

EVERY_ONE = {
    "minutely": 60,
    "hourly": 3600,
    "daily": _DAY,
    "nightly": _DAY,
    "weekly": 7 * _DAY,
    "biweekly": 14 * _DAY,
    "fortnightly": 14 * _DAY,
    "monthly": 30 * _DAY,
    "quarterly": 90 * _DAY,
    "yearly": 365 * _DAY,
    "annually": 365 * _DAY,
}
BEFORE_UNIT = frozenset(
    "more additional further full whole extra solid straight consecutive business working calendar or so "
    "clock short long good odd other".split()
)

SIGNS = {
    "$": "usd",
    "€": "eur",
    "£": "gbp",
    "¥": "jpy",
    "₹": "inr",
    "₴": "uah",
    "₩": "krw",
    "₽": "rub",
    "₺": "try",
    "₿": "btc",
    "₦": "ngn",
    "₱": "php",
    "₪": "ils",
    "¢": "usd",
}
SIGN_PREFIXES = {
    "us": "usd",
    "c": "cad",
    "ca": "cad",
    "a": "aud",
    "au": "aud",
    "nz": "nzd",
    "hk": "hkd",
    "s": "sgd",
    "sg": "sgd",
    "r": "brl",
    "mx": "mxn",
}
CODES = frozenset(
    "usd eur gbp jpy cad aud nzd chf sek nok dkk pln czk huf uah inr cny rmb brl mxn krw sgd hkd zar ils aed "
    "try thb idr php ars clp cop ngn kes btc eth usdt".split()
)
CURRENCY_WORDS = {
    word: code
    for code, words in (
        ("usd", "dollar dollars buck bucks"),
        ("eur", "euro euros"),
        ("gbp", "pound pounds quid sterling"),
        ("jpy", "yen"),
        ("inr", "rupee rupees"),
        ("uah", "hryvnia hryvnias hryvnya"),
        ("brl", "real reais"),
        ("mxn", "peso pesos"),
        ("cny", "yuan renminbi"),
        ("krw", "won"),
        ("chf", "franc francs"),
        ("pln", "zloty zlotys"),
        ("sek", "krona kronor"),
        ("nok", "krone kroner"),
        ("zar", "rand"),
        ("ils", "shekel shekels"),
        ("thb", "baht"),
        ("idr", "rupiah"),
        ("huf", "forint forints"),
        ("czk", "koruna korunas koruny"),
        ("kes", "shilling shillings"),
        ("ngn", "naira"),
        ("aed", "dirham dirhams"),
        ("btc", "bitcoin bitcoins"),
    )
    for word in words.split()
}
SHARED_UNITS = {
    "dollar": "usd cad aud nzd sgd hkd",
    "dollars": "usd cad aud nzd sgd hkd",
    "bucks": "usd cad aud nzd",
    "cent": "usd eur cad aud nzd sgd hkd zar",
    "cents": "usd eur cad aud nzd sgd hkd zar",
    "peso": "mxn ars clp cop php",
    "pesos": "mxn ars clp cop php",
    "krone": "nok dkk",
    "kroner": "nok dkk",
}
"""Words for money of several countries, the likeliest first."""
COINS = {"cent": "usd", "cents": "usd", "penny": "usd", "pennies": "usd", "pence": "gbp"}
NATIONAL = {
    "us": "usd",
    "american": "usd",
    "canadian": "cad",
    "australian": "aud",
    "british": "gbp",
    "hong": "hkd",
    "new": "nzd",
    "singapore": "sgd",
    "swiss": "chf",
    "polish": "pln",
    "swedish": "sek",
    "norwegian": "nok",
    "danish": "dkk",
    "czech": "czk",
    "japanese": "jpy",
    "indian": "inr",
    "mexican": "mxn",
}

PERCENT = frozenset({"%", "percent", "pct", "percentage", "percents", "pp", "ppt", "ppts", "prozent"})
SURE = frozenset(
    "certain sure confident guaranteed committed positive convinced secure safe reliable correct complete "
    "accurate resolved fixed restored recovered operational available".split()
)

MULTIPLIERS: dict[str, Fraction] = {
    word: Fraction(value)
    for value, words in (
        (2, "twice double doubled doubles doubling twofold"),
        (3, "thrice triple tripled triples tripling treble trebled threefold"),
        (4, "quadruple quadrupled quadruples quadrupling fourfold"),
        (5, "quintuple quintupled quintupling fivefold"),
        (Fraction(1, 2), "halved halve  halving"),
    )
    for word in words.split()
} | {
    f"{word}fold": Fraction(value)
    for word, value in (*UNITS.items(), *TENS.items(), ("hundred", 100), ("thousand", 1000))
    if value
}
NO_MULTIPLIER_AFTER_DOUBLE = frozenset(
    "check checks checked checking click clicks clicking down sided sure space spaced entry opt".split()
)
COMPARED = frozenset(
    "as more higher faster slower greater larger longer lower worse bigger fewer less the what normal usual "
    "its our their your his her over above that than increase rise".split()
)

ENDS_NOUN_PHRASE = frozenset(
    "a about above across after again against ago ahead all already although always am amid among an and any "
    "apart are around as at available away back be because been before being below between both but by can "
    "cannot could currently despite did do does down due during each either else especially even every "
    "except experience experienced experiencing fail fails failing few following for from further had has "
    "have he her here his how however i if in instead into is it its itself just last later left less like "
    "likely made may me meanwhile might more most much must my need needs neither next no nor not now of off "
    "on once only onto or other our out over overall per plus please quite rather remain remained remaining "
    "remains right same saw see seeing seen gave gives got took came several shall she should since so some "
    "soon still such than that the their them then there therefore these they this those though through "
    "throughout thus to today together too total toward towards under unless until up upon us use using very "
    "via was we went were what when where whether which while who whom whose why will with within without "
    "would yet you your".split()
)
BANKNOTES = {"fiver": 5, "tenner": 10}
"""Pounds that are named by their note."""
VAGUE = frozenset({"few", "several", "many", "couple", "some", "handful"})
