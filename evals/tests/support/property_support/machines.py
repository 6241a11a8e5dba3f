"""Two machines that attack the guards step by step: one edits a text, one builds a breach."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from property_support.texts import Disguising, changed_values, disguisings, moved, restated, spellings_of
from redpen_evals.fuzz.case import Case, judge
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
        text: as it was written.
        shown: as it stands, disguised or not.
        form: the fact that it states rightly, or None.
        breach: the family of the breach that it commits, or None.
        disguise: the disguise that it wears.
    """

    text: str
    shown: str
    form: FactForm | None = None
    breach: Family | None = None
    disguise: Disguise = "none"

    def worn(self, disguise: Disguising) -> Part:
        """Return the sentence in another disguise."""
        shown = disguise.apply(self.text)
        return replace(self, shown=shown, disguise="none" if shown == self.text else disguise.name)


def _sound(text: str, form: FactForm | None = None) -> Part:
    return Part(text=text, shown=text, form=form)


def _breach(text: str, form: FactForm | ClaimForm) -> Part:
    return Part(text=text, shown=text, breach=form.family)


class _TextMachine(RuleBasedStateMachine):
    """A text in sentences, the draft that it came from, and the verdict that it must have."""

    name = ""

    def __init__(self) -> None:
        super().__init__()
        self.incident = Incident(values={}, notes={})
        self.original = ""
        self.parts: list[Part] = []
        self.gap = " "

    def begin(self, incident: Incident, stated: list[FactForm]) -> None:
        """Start from a draft that states some facts rightly."""
        self.incident = incident
        self.parts = [_sound(incident.sentence(form), form) for form in stated]
        self.parts.append(_sound(BENIGN[0]))
        self.original = " ".join(part.text for part in self.parts)

    def put(self, part: Part, place: int) -> None:
        """Put a sentence somewhere into the text."""
        if len(self.parts) < _LONGEST:
            self.parts.insert(place % (len(self.parts) + 1), part)

    def case(self) -> Case:
        """Return the text as it stands, labelled by whether a sentence of it commits a breach."""
        breaches = [part.breach for part in self.parts if part.breach]
        worn = [part.disguise for part in self.parts if part.disguise != "none"]
        family: Family = breaches[0] if breaches else "rewrite"
        return Case(
            name=self.name,
            original=self.original,
            revised=self.gap.join(part.shown for part in self.parts),
            context=self.incident.context(),
            label="block" if breaches else "pass",
            family=family,
            codes=tuple(dict.fromkeys(_CODES[breach] for breach in breaches)),
            disguise=worn[0] if worn else "none",
        )

    @precondition(lambda self: bool(self.parts))
    @invariant()
    def verdict_holds(self) -> None:
        """After every step the guards say what the sentences say."""
        judge(self.case())


_PLACES = st.integers(min_value=0, max_value=_LONGEST)
_SOME_FORMS = st.lists(st.sampled_from(FORMS), min_size=1, max_size=4, unique_by=lambda form: form.name)


class EditingMachine(_TextMachine):
    """Edits a text, sound or in breach, with every disguise and with edits that change nothing said.

    A sound text has to go on passing, a breach to go on being blocked. Sound sentences are disguised in
    their fact alone: what a disguise of ordinary words is worth no rule says.
    """

    name = "editing"

    @initialize(incident=incidents(*FORMS), stated=_SOME_FORMS, data=st.data())
    def start(self, incident: Incident, stated: list[FactForm], data: st.DataObject) -> None:
        """Start from a sound draft, in half of the runs with a breach in it."""
        self.begin(incident, stated)
        if data.draw(st.booleans(), label="breach"):
            form = data.draw(st.sampled_from(CLAIMS), label="family")
            sentence = data.draw(claim_sentences(form), label="claim")
            self.put(_breach(sentence, form), data.draw(_PLACES, label="place"))

    @rule(sentence=st.sampled_from(BENIGN), place=_PLACES)
    def add_benign_sentence(self, sentence: str, place: int) -> None:
        """Add a sentence that no rule objects to."""
        self.put(_sound(sentence), place)

    @rule(place=_PLACES)
    def drop_sentence(self, place: int) -> None:
        """Drop a sentence that commits no breach."""
        sound = [part for part in self.parts if part.breach is None]
        if len(self.parts) > 1 and sound:
            self.parts.remove(sound[place % len(sound)])

    @rule(one=_PLACES, other=_PLACES)
    def swap_sentences(self, one: int, other: int) -> None:
        """Let two sentences change places."""
        first, second = one % len(self.parts), other % len(self.parts)
        self.parts[first], self.parts[second] = self.parts[second], self.parts[first]

    @rule(gap=st.sampled_from(_GAPS))
    def set_gap(self, gap: str) -> None:
        """Set the sentences apart by blanks, lines or paragraphs."""
        self.gap = gap

    @rule(place=_PLACES, data=st.data())
    def restate_fact(self, place: int, data: st.DataObject) -> None:
        """Write a fact in another way, in another sentence."""
        stated = [(at, part.form) for at, part in enumerate(self.parts) if part.form]
        if stated:
            at, form = stated[place % len(stated)]
            text = data.draw(restated(form, self.incident.values[form.name]), label="sentence")
            self.parts[at] = _sound(text, form)

    @rule(place=_PLACES, disguise=disguisings(), data=st.data())
    def disguise(self, place: int, disguise: Disguising, data: st.DataObject) -> None:
        """Disguise a breach, or an allowed fact where it stands."""
        places = [at for at, part in enumerate(self.parts) if part.breach or part.form]
        if not places:
            return
        at = places[place % len(places)]
        part = self.parts[at]
        if part.breach:
            self.parts[at] = part.worn(disguise)
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
    """Builds breaches into a sound text, and takes them out again, with ordinary characters alone.

    No character is unusual, so that a screen for such characters finds nothing to refuse: what is blocked
    here is blocked for what it says. As soon as there is a breach the text has to be blocked, with a code
    of one of its breaches where none is disguised; without any it has to pass.
    """

    name = "breaching"

    @initialize(incident=incidents(*FORMS), stated=_SOME_FORMS)
    def start(self, incident: Incident, stated: list[FactForm]) -> None:
        """Start from a sound draft."""
        self.begin(incident, stated)

    @rule(form=st.sampled_from(CLAIMS), data=st.data(), place=_PLACES)
    def claim(self, form: ClaimForm, data: st.DataObject, place: int) -> None:
        """Make a claim."""
        self.put(_breach(data.draw(claim_sentences(form), label="claim"), form), place)

    @rule(form=st.sampled_from(CLAIMS), data=st.data(), place=_PLACES)
    def speak_of_it(self, form: ClaimForm, data: st.DataObject, place: int) -> None:
        """Speak of what a claim is about, and claim nothing."""
        self.put(_sound(data.draw(twin_sentences(form), label="twin")), place)

    @rule(form=st.sampled_from(FORMS), data=st.data(), place=_PLACES)
    def invent_fact(self, form: FactForm, data: st.DataObject, place: int) -> None:
        """State a fact with another value."""
        value = data.draw(changed_values(self.incident, form), label="value")
        self.put(_breach(data.draw(restated(form, value), label="sentence"), form), place)

    @rule(form=st.sampled_from(FORMS), data=st.data(), place=_PLACES)
    def state_fact(self, form: FactForm, data: st.DataObject, place: int) -> None:
        """State a fact as it is."""
        text = data.draw(restated(form, self.incident.values[form.name]), label="sentence")
        self.put(_sound(text, form), place)

    @rule(form=st.sampled_from([form for form in FORMS if form.moved]), data=st.data(), place=_PLACES)
    def move_number(self, form: FactForm, data: st.DataObject, place: int) -> None:
        """Say of something else what is allowed of one thing alone."""
        sentence = data.draw(moved(form, self.incident.values[form.name]), label="sentence")
        self.put(_breach(sentence, form), place)

    @rule(place=_PLACES, disguise=disguisings(plain=True))
    def disguise(self, place: int, disguise: Disguising) -> None:
        """Disguise a breach with markup, layout, capitals or digits."""
        places = [at for at, part in enumerate(self.parts) if part.breach]
        if places:
            at = places[place % len(places)]
            self.parts[at] = self.parts[at].worn(disguise)

    @rule(place=_PLACES)
    def take_back(self, place: int) -> None:
        """Take a sentence out."""
        if len(self.parts) > 1:
            del self.parts[place % len(self.parts)]
