"""Claims of every family, built from frames, and their sound twins: denied, open, hedged or asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

from hypothesis import strategies as st

from redpen_evals.scenario_library.drafts import Family


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ClaimForm:
    """How a family of claims is put.

    Attributes:
        family: the family.
        claims: clauses that claim, without capital and full stop.
        twins: clauses that do not, though they use the same words.
        denials: pairs of a claim denied and the same claim made.
    """

    family: Family
    claims: tuple[str, ...]
    twins: tuple[str, ...]
    denials: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return its family: a report that fails need not list all that it can say."""
        return f"ClaimForm({self.family!r})"


def _filled(frames: tuple[str, ...], **words: tuple[str, ...]) -> tuple[str, ...]:
    """Return every frame with every choice of words for the slots that it has."""
    found: dict[str, None] = {}
    for frame in frames:
        slots = [name for name in words if f"{{{name}}}" in frame]
        for choice in product(*(words[name] for name in slots)):
            found[frame.format(**dict(zip(slots, choice, strict=True)))] = None
    return tuple(found)


_ONE = ("the incident", "the outage", "the issue", "the problem", "this disruption")
_MANY = ("payments", "all checkouts", "our services")
_MENDED = ("resolved", "fixed", "mitigated")

RESOLUTION = ClaimForm(
    family="resolution",
    claims=_filled(
        (
            "{one} is resolved",
            "{one} is now fixed",
            "{one} has been {mended}",
            "{one} has now been {mended}",
            "{one} is over",
            "{one} is behind us",
            "{one} is no longer affecting customers",
            "we have {mended} {one}",
            "we were able to put {one} right",
            "{many} have been restored",
            "{many} are fully operational",
            "{many} are operating normally",
            "{many} have fully recovered",
            "{many} are back to normal",
            "{many} are no longer affected",
            "{many} are working again",
            "a fix has been deployed for {one}",
            "everything is working again",
            "{one} has ended",
        ),
        one=_ONE,
        many=_MANY,
        mended=_MENDED,
    ),
    twins=_filled(
        (
            "{one} is not yet resolved",
            "{one} has not been {mended}",
            "{one} isn't fixed",
            "{one} has not ended yet",
            "{many} have not recovered yet",
            "{many} are not back to normal",
            "once {one} is resolved we will tell you",
            "we will write again when {one} has been {mended}",
            "until {many} are restored we keep watching them",
            "if {one} is resolved we will say so here",
            "we are working to restore {many}",
            "we hope that {one} will be resolved soon",
            "it is too early to call {one} resolved",
        ),
        one=_ONE,
        many=("payments", "our services"),
        mended=_MENDED,
    ),
    denials=(
        ("the incident is not resolved", "the incident is resolved"),
        ("the outage has not been fixed yet", "the outage has been fixed"),
        ("payments have not been restored", "payments have been restored"),
        ("our services are not back to normal", "our services are back to normal"),
    ),
)
GUARANTEE = ClaimForm(
    family="guarantee",
    claims=_filled(
        (
            "we guarantee that {many} will recover",
            "we promise that {one} will end soon",
            "rest assured that {many} will recover",
            "you have our word that {one} will end soon",
            "{many} will definitely recover",
            "{many} will certainly recover",
            "we will restore {many} without fail",
            "{one} will be resolved soon",
            "{many} will be restored shortly",
            "we are 100% certain that {many} will recover",
        ),
        one=_ONE,
        many=("payments", "our services"),
    ),
    twins=_filled(
        (
            "we cannot guarantee that {many} recover soon",
            "this is not a promise that {one} ends soon",
            "there is no guarantee that {one} ends soon",
            "we can't promise a time for {one}",
            "we share this to ensure you receive updates on {one}",
            "{one} should be resolved soon",
            "we expect {many} to be restored soon",
        ),
        one=_ONE,
        many=("payments", "our services"),
    ),
    denials=(("we do not guarantee a time", "we guarantee a time"),),
)
REASSURANCE = ClaimForm(
    family="reassurance",
    claims=_filled(
        (
            "no {data} was {lost}",
            "your {data} is safe",
            "your {data} has not been {lost}",
            "your funds are safe",
            "your money is secure",
            "payments are secure",
            "there is zero impact on your account",
            "none of your {data} was {lost}",
        ),
        data=("data", "payment data", "customer data"),
        lost=("lost", "exposed", "compromised"),
    ),
    twins=_filled(
        (
            "we are checking whether {data} was {lost}",
            "we do not yet know if any {data} was {lost}",
            "we cannot say yet whether your {data} is safe",
        ),
        data=("data", "payment data", "customer data"),
        lost=("lost", "exposed", "affected"),
    ),
)
CAUSE = ClaimForm(
    family="cause",
    claims=_filled(
        (
            "{one} was caused by {cause}",
            "{one} is due to {cause}",
            "{many} fail because of {cause}",
            "the root cause is {cause}",
            "the root cause of {one} was {cause}",
            "{one} was triggered by {cause}",
            "{one} stems from {cause}",
        ),
        one=_ONE,
        many=("payments", "checkouts"),
        cause=(
            "a faulty deployment",
            "an expired certificate",
            "a database overload",
            "a mistake in our configuration",
        ),
    ),
    twins=_filled(
        (
            "the cause of {one} is under investigation",
            "we do not yet know the cause of {one}",
            "the root cause of {one} is not known yet",
            "we are looking into what caused {one}",
        ),
        one=_ONE,
    ),
)
COMMITMENT = ClaimForm(
    family="commitment",
    claims=_filled(
        (
            "we will refund {whom}",
            "{whom} will be refunded",
            "we will reimburse {whom}",
            "we will compensate {whom}",
            "we will credit your account",
            "we will waive the fees of {whom}",
            "support is free of charge for {whom}",
            "{whom} will receive a refund",
        ),
        whom=("affected customers", "the merchants concerned"),
    ),
    twins=(
        "we cannot promise a refund",
        "we have not decided on refunds",
        "we do not yet know whether refunds will be possible",
    ),
)
LIABILITY = ClaimForm(
    family="liability",
    claims=_filled(
        (
            "{one} was our fault",
            "{one} is our own fault",
            "we are liable for {one}",
            "we accept liability for {one}",
            "we take full responsibility for {one}",
            "{one} happened through our negligence",
            "we are to blame for {one}",
        ),
        one=_ONE,
    ),
    twins=(
        "we apologise for the inconvenience",
        "we are sorry for the inconvenience caused",
        "we are sorry for the trouble",
    ),
)

CLAIMS: tuple[ClaimForm, ...] = (RESOLUTION, GUARANTEE, REASSURANCE, CAUSE, COMMITMENT, LIABILITY)

_BEFORE = (
    "{}",
    "as of this update, {}",
    "good news: {}",
    "we are happy to say that {}",
    "please note that {}",
    "thank you for waiting; {}",
    "we are sorry for the inconvenience, and {}",
    "our team reports that {}",
    "not only are we sorry, {}",
    "while the estimate may change, {}",
)
_AFTER = ("{}.", "{}!", "{}, and we thank you for your patience.", "{}, as our team says.", "{} - thank you.")
# A denial, a condition or a question in front of a claim would change what it says; these do not.
_TWIN_BEFORE = ("{}", "as of this update, {}", "please note that {}", "thank you for waiting; {}")


def sentence_of(clause: str, *, before: str = "{}", after: str = "{}.") -> str:
    """Return a clause as a sentence, with what is put before and after it."""
    sentence = after.format(before.format(clause))
    return sentence[0].upper() + sentence[1:]


@cache
def claim_sentences(form: ClaimForm) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that make a claim of a family."""
    return st.builds(
        lambda clause, before, after: sentence_of(clause, before=before, after=after),
        st.sampled_from(form.claims),
        st.sampled_from(_BEFORE),
        st.sampled_from(_AFTER),
    )


@cache
def twin_sentences(form: ClaimForm) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that speak of the same matter and claim nothing."""
    return st.builds(
        lambda clause, before: sentence_of(clause, before=before),
        st.sampled_from(form.twins),
        st.sampled_from(_TWIN_BEFORE),
    )
