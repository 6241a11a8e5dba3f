"""Two state machines that attack the guards: one edits a text, one builds breaches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from property_support.texts import Disguising, changed_values, disguisings, moved, restated, spellings_of
from property_support.verdicts import judge
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.incidents import Incident, incidents
from redpen_evals.fuzz.sentences import BENIGN, CLAIMS, ClaimForm, claim_sentences, twin_sentences
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family

_GAPS = (" ", "\n", "\n\n")
_LONGEST = 12
_CODES: dict[Family, DraftCode] = {form.family: form.code for form in FORMS} | {
    form.family: "restricted_claims" for form in CLAIMS
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One sentence of the text that a machine works on.

    Attributes:
        text: the undisguised sentence.
        shown: the sentence in the text, disguised or not.
        form: the fact that it states correctly, or None.
        breach: the family of its breach, or None.
        disguise: its disguise.
    """

    text: str
    shown: str
    form: FactForm | None = None
    breach: Family | None = None
    disguise: Disguise = "none"

    def disguised(self, disguise: Disguising) -> Part:
        """Return the sentence in another disguise."""
        shown = disguise.apply(self.text)
        return replace(self, shown=shown, disguise="none" if shown == self.text else disguise.name)


def _valid(text: str, form: FactForm | None = None) -> Part:
    return Part(text=text, shown=text, form=form)


def _breach(text: str, form: FactForm | ClaimForm) -> Part:
    return Part(text=text, shown=text, breach=form.family)


class _TextMachine(RuleBasedStateMachine):
    """A text in sentences, its draft, and its expected verdict."""

    name = ""

    def __init__(self) -> None:
        super().__init__()
        self.incident = Incident(values={}, notes={})
        self.original = ""
        self.parts: list[Part] = []
        self.gap = " "

    def begin(self, incident: Incident, stated: list[FactForm]) -> None:
        """Start from a draft that states some facts correctly."""
        self.incident = incident
        self.parts = [_valid(incident.sentence(form), form) for form in stated]
        self.parts.append(_valid(BENIGN[0]))
        self.original = " ".join(part.text for part in self.parts)

    def put(self, part: Part, place: int) -> None:
        """Insert a sentence into the text."""
        if len(self.parts) < _LONGEST:
            self.parts.insert(place % (len(self.parts) + 1), part)

    def case(self) -> Case:
        """Return the current text, labelled by whether one of its sentences is a breach."""
        breaches = [part.breach for part in self.parts if part.breach]
        disguises = [part.disguise for part in self.parts if part.disguise != "none"]
        family: Family = breaches[0] if breaches else "rewrite"
        return Case(
            name=self.name,
            original=self.original,
            revised=self.gap.join(part.shown for part in self.parts),
            context=self.incident.context(),
            label="block" if breaches else "pass",
            family=family,
            codes=tuple(dict.fromkeys(_CODES[breach] for breach in breaches)),
            disguise=disguises[0] if disguises else "none",
        )

    @precondition(lambda self: bool(self.parts))
    @invariant()
    def verdict_holds(self) -> None:
        """Check the guards' verdict after every step."""
        judge(self.case())


_PLACES = st.integers(min_value=0, max_value=_LONGEST)
_SOME_FORMS = st.lists(st.sampled_from(FORMS), min_size=1, max_size=4, unique_by=lambda form: form.name)


class EditingMachine(_TextMachine):
    """Edits a text, with or without a breach, by disguises and by edits that keep the meaning.

    A text without a breach must keep passing, one with a breach must stay blocked. In sentences without a
    breach only the fact is disguised, because no rule covers disguised ordinary words.
    """

    name = "editing"

    @initialize(incident=incidents(*FORMS), stated=_SOME_FORMS, data=st.data())
    def start(self, incident: Incident, stated: list[FactForm], data: st.DataObject) -> None:
        """Start from a faithful draft, in half of the runs with a breach added."""
        self.begin(incident, stated)
        if data.draw(st.booleans(), label="breach"):
            form = data.draw(st.sampled_from(CLAIMS), label="family")
            sentence = data.draw(claim_sentences(form), label="claim")
            self.put(_breach(sentence, form), data.draw(_PLACES, label="place"))

    @rule(sentence=st.sampled_from(BENIGN), place=_PLACES)
    def add_benign_sentence(self, sentence: str, place: int) -> None:
        """Add a sentence that breaks no rule."""
        self.put(_valid(sentence), place)

    @rule(place=_PLACES)
    def drop_sentence(self, place: int) -> None:
        """Drop a sentence that is not a breach."""
        others = [part for part in self.parts if part.breach is None]
        if len(self.parts) > 1 and others:
            self.parts.remove(others[place % len(others)])

    @rule(one=_PLACES, other=_PLACES)
    def swap_sentences(self, one: int, other: int) -> None:
        """Swap two sentences."""
        first, second = one % len(self.parts), other % len(self.parts)
        self.parts[first], self.parts[second] = self.parts[second], self.parts[first]

    @rule(gap=st.sampled_from(_GAPS))
    def set_gap(self, gap: str) -> None:
        """Separate the sentences by spaces, line breaks or blank lines."""
        self.gap = gap

    @rule(place=_PLACES, data=st.data())
    def restate_fact(self, place: int, data: st.DataObject) -> None:
        """State a fact in another spelling and sentence."""
        stated = [(at, part.form) for at, part in enumerate(self.parts) if part.form]
        if stated:
            at, form = stated[place % len(stated)]
            text = data.draw(restated(form, self.incident.values[form.name]), label="sentence")
            self.parts[at] = _valid(text, form)

    @rule(place=_PLACES, disguise=disguisings(), data=st.data())
    def disguise(self, place: int, disguise: Disguising, data: st.DataObject) -> None:
        """Disguise a breach or an allowed fact."""
        places = [at for at, part in enumerate(self.parts) if part.breach or part.form]
        if not places:
            return
        at = places[place % len(places)]
        part = self.parts[at]
        if part.breach:
            self.parts[at] = part.disguised(disguise)
        elif part.form and disguise.name not in part.form.spoilt_by:
            sentence = data.draw(st.sampled_from(part.form.sentences), label="sentence")
            spelling = data.draw(
                spellings_of(part.form, self.incident.values[part.form.name]), label="spelling"
            )
            hidden = disguise.apply(spelling)
            self.parts[at] = Part(
                text=sentence.format(spelling),
                shown=sentence.format(hidden),
                form=part.form,
                disguise="none" if hidden == spelling else disguise.name,
            )


class BreachMachine(_TextMachine):
    """Adds breaches to a text, and removes them, with ordinary characters only.

    Without unusual characters a text can only be blocked for its meaning. With a breach it must be blocked,
    with a code of one of its breaches if none is disguised; without any it must pass.
    """

    name = "breaching"

    @initialize(incident=incidents(*FORMS), stated=_SOME_FORMS)
    def start(self, incident: Incident, stated: list[FactForm]) -> None:
        """Start from a faithful draft."""
        self.begin(incident, stated)

    @rule(form=st.sampled_from(CLAIMS), data=st.data(), place=_PLACES)
    def claim(self, form: ClaimForm, data: st.DataObject, place: int) -> None:
        """Make a claim."""
        self.put(_breach(data.draw(claim_sentences(form), label="claim"), form), place)

    @rule(form=st.sampled_from(CLAIMS), data=st.data(), place=_PLACES)
    def add_twin(self, form: ClaimForm, data: st.DataObject, place: int) -> None:
        """Add a sentence on the same subject that claims nothing."""
        self.put(_valid(data.draw(twin_sentences(form), label="twin")), place)

    @rule(form=st.sampled_from(FORMS), data=st.data(), place=_PLACES)
    def invent_fact(self, form: FactForm, data: st.DataObject, place: int) -> None:
        """State a fact with another value."""
        value = data.draw(changed_values(self.incident, form), label="value")
        self.put(_breach(data.draw(restated(form, value), label="sentence"), form), place)

    @rule(form=st.sampled_from(FORMS), data=st.data(), place=_PLACES)
    def state_fact(self, form: FactForm, data: st.DataObject, place: int) -> None:
        """State a fact correctly."""
        text = data.draw(restated(form, self.incident.values[form.name]), label="sentence")
        self.put(_valid(text, form), place)

    @rule(form=st.sampled_from([form for form in FORMS if form.moved]), data=st.data(), place=_PLACES)
    def move_number(self, form: FactForm, data: st.DataObject, place: int) -> None:
        """State the value of a fact of another subject."""
        sentence = data.draw(moved(form, self.incident.values[form.name]), label="sentence")
        self.put(_breach(sentence, form), place)

    @rule(place=_PLACES, disguise=disguisings(plain=True))
    def disguise(self, place: int, disguise: Disguising) -> None:
        """Disguise a breach with markup, layout, capitals or digits."""
        places = [at for at, part in enumerate(self.parts) if part.breach]
        if places:
            at = places[place % len(places)]
            self.parts[at] = self.parts[at].disguised(disguise)

    @rule(place=_PLACES)
    def remove_sentence(self, place: int) -> None:
        """Remove a sentence."""
        if len(self.parts) > 1:
            del self.parts[place % len(self.parts)]
