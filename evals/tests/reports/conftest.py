"""Run records for the report tests: real runs of a small library, and a record full of hostile text."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

from redpen_evals.evaluation import Evaluator
from redpen_evals.records import (
    Record,
    RecordedCall,
    RecordedPrompt,
    RecordWriter,
    RunEnd,
    RunStart,
    ScenarioResult,
    ScorecardResult,
    StaleCalls,
    read_record,
)
from redpen_evals.records.model import StaleCall
from redpen_evals.variants import read_variants

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\"'`"
    "</style></script></details></table><!-- ]]> \u202etxet desrever\u202c \x00\x07\x1b[31m \ud800"
    " \u200bzero\u200dwidth {{ 7*7 }} {% raw %} | a | b ](http://x.invalid) @team www.x.invalid #1 "
    + "W" * 300
    + " h"
    + "\u0301" * 30
    + "e \u05d0\u05d1\u05d2 &amp; &lt;"
)

DRAFT = "Checkout in the US is degraded for 27% of attempts. It will definitely be back in 3 hours."
REVISED = "Checkout in the US is degraded for 27% of attempts. This may change."


class Samples:
    """Results of real runs, one method per way a run can end."""

    def __init__(self, library):
        self.stock = library

    def passed(self, name="self-critique/passed", **changes):
        """Return a run whose draft was approved."""
        return self._recorded(name, self.stock.self_critique(**changes))

    def revised(self, name="self-critique/revised", revised=REVISED, **changes):
        """Return a run whose draft was ungrounded and revised."""
        return self._recorded(name, self._revision(revised, **changes))

    def refused(self, name="self-critique/refused"):
        """Return a run that stopped because its revision added a new fact."""
        expect = {"status": "stopped", "stop_reason": "patch_violation:no_new_facts", "phase": "revise"}
        return self._recorded(name, self._revision(f"{REVISED} We owe you 12 months.", expect=expect))

    def failed(self, name="self-critique/failed"):
        """Return a run whose result differs from the expected one."""
        self.passed(name)
        expect = {"status": "stopped", "stop_reason": "policy_escalation"}
        self.stock.add(name, self.stock.self_critique(expect=expect))
        return self._judged(name, "failed")

    def stale(self, name="self-critique/stale"):
        """Return a run whose goal changed after it was recorded."""
        self.passed(name)
        self.stock.add(name, self.stock.self_critique(goal="Tell customers more."))
        return self._judged(name, "stale")

    def missing(self, name="self-critique/missing"):
        """Return a run that was never recorded."""
        self.stock.add(name, self.stock.self_critique())
        return self._judged(name, "stale")

    def errored(self, name="self-critique/errored"):
        """Return a run whose recording is damaged."""
        self.passed(name)
        self.stock.cassette(name).write_text("{", encoding="utf-8")
        return self._judged(name, "errored")

    def actions(self, name="guarded-policy/actions"):
        """Return a run whose second action the policy rewrote."""
        plan = self.stock.plan()
        plan[1]["args"]["max_recipients"] = 60_000
        scenario = self.stock.guarded_policy(
            replies=[{"phase": "plan", "json": {"actions": plan}}],
            expect={"status": "ok", "trace": ["a1:allow", "a2:rewrite", "finalize"]},
        )
        return self._recorded(name, scenario)

    def variant(self, label, name="self-critique/passed"):
        """Return a run of a variant, such as ``temperature=0.7``."""
        variant = read_variants(model="scripted", variants=[label])[0]
        evaluator = Evaluator(layout=self.stock.layout, record="all")
        self.stock.add(name, self.stock.self_critique())
        return evaluator.evaluate(name, variant=variant)

    def everything(self):
        """Return one result per way a run can end."""
        return [
            self.passed(),
            self.revised(),
            self.refused(),
            self.failed(),
            self.stale(),
            self.missing(),
            self.errored(),
            self.actions(),
        ]

    def _revision(self, revised, **changes):
        critique = {
            "decision": "revise",
            "severity": "medium",
            "risks": [{"type": "overconfidence", "note": "It promises a time."}],
            "required_changes": ['REMOVE "definitely be back in 3 hours"', 'ADD "This may change"'],
        }
        return self.stock.self_critique(
            **{
                "replies": [
                    {"phase": "draft", "json": {"draft": DRAFT}},
                    {"phase": "critique", "json": critique},
                    {"phase": "revise", "json": {"revised_answer": revised}},
                ],
                "expect": {"status": "ok", "outcome": "revised_once"},
                "invariants": ["result_is_well_formed"],
                **changes,
            }
        )

    def _recorded(self, name, scenario):
        self.stock.add(name, scenario)
        result = Evaluator(layout=self.stock.layout, record="all").evaluate(name)
        assert result.outcome == "passed", result.text
        return self._judged(name, "passed")

    def _judged(self, name, outcome):
        result = Evaluator(layout=self.stock.layout).evaluate(name)
        assert result.outcome == outcome, result.text
        return result


@pytest.fixture(scope="session")
def samples(tmp_path_factory, make_library):
    """Give real results, made once per session."""
    return Samples(make_library(tmp_path_factory.mktemp("samples")))


@pytest.fixture(scope="session")
def everything(samples):
    """Give one real result per way a run can end."""
    return samples.everything()


@pytest.fixture
def make_record(tmp_path):
    """Give a function that writes a record and reads it back."""
    numbers = itertools.count()

    def make(results, *, variants=("",), ended=True, prompts=(), used=None, scorecards=(), **start):
        path = tmp_path / f"run{next(numbers)}.jsonl"
        used = (
            {label: {prompt.name: prompt.hash for prompt in prompts} for label in variants}
            if used is None
            else used
        )
        first = {
            "id": "20260306-101500-a1b2",
            "started": "2026-03-06T10:15:00Z",
            "model": "scripted",
            "record": "none",
            "samples": 1,
            "versions": {"redpen": "1.0"},
            **start,
        }
        with closing(RecordWriter(path)) as writer:
            writer.write(RunStart(variants=tuple(variants), prompts=used, **first))
            for line in (*prompts, *results, *scorecards):
                writer.write(line)
            if ended:
                counts = dict.fromkeys(("passed", "failed", "stale", "errored"), 0)
                for result in results:
                    counts[result.outcome] += 1
                bad = any(counts[outcome] for outcome in ("failed", "stale", "errored"))
                writer.write(RunEnd(exit_code=int(bad), duration_s=1.25, counts=counts))
        return read_record(path)

    return make


@pytest.fixture
def result():
    """Give a function that makes a result by hand."""

    def make(scenario="self-critique/made", **fields):
        return ScenarioResult(
            **{"scenario": scenario, "agent": scenario.split("/")[0], "outcome": "passed", **fields}
        )

    return make


@pytest.fixture(scope="session")
def bulk(samples):
    """Give a function that copies a real result many times; every tenth copy failed."""
    real = samples.revised("self-critique/many")

    def make(number):
        for at in range(number):
            failed = {"outcome": "failed", "reasons": (f"broke for reason {at % 7}",)} if at % 10 == 3 else {}
            yield real.model_copy(update={"scenario": f"self-critique/many-{at:05}", **failed})

    return make


@pytest.fixture
def hostile_record(tmp_path):
    """Give a record with hostile text in every field; its lone surrogate makes it unreadable from a file."""
    call = RecordedCall.model_construct(
        phase=HOSTILE, state="replayed", prompt_tokens=3, completion_tokens=None
    )
    stale = StaleCall.model_construct(
        position=1, phase=HOSTILE, why="changed", what=HOSTILE, excerpt=f"[-a-] {{+{HOSTILE}+}}"
    )
    finding = {"code": HOSTILE, "family": HOSTILE, "span": [0, 5], "text": HOSTILE, "reading": HOSTILE}
    detail = {
        "status": "stopped",
        "trace": [
            {"step": 1, "phase": HOSTILE, "ok": True, HOSTILE: HOSTILE},
            {"step": {"not": "a number"}, "action_id": [HOSTILE], "tool": {HOSTILE: None}},
            HOSTILE,
            None,
        ],
        "history": [
            {"step": 1, "draft": HOSTILE},
            {"step": 2, HOSTILE: {HOSTILE: [HOSTILE]}, "proposed_action": HOSTILE, "executed_action": 3},
            {"step": 3, "revised_answer": f"{HOSTILE} more"},
        ],
        "ungrounded": [{**finding, "span": [0, 8], "text": HOSTILE[:8], "nearest": [{"reading": HOSTILE}]}],
        "violations": [finding, {"span": ["a", None]}, HOSTILE, 5],
        "concerns": HOSTILE,
    }

    def one(scenario, agent, variant, outcome):
        return ScenarioResult.model_construct(
            scenario=scenario,
            agent=agent,
            title=HOSTILE,
            context=HOSTILE,
            tags=(HOSTILE, "plain"),
            variant=variant,
            outcome=outcome,
            reasons=(HOSTILE, f"{HOSTILE}\nsecond line"),
            broken=(HOSTILE,),
            command=HOSTILE,
            status="stopped",
            stop_reason=HOSTILE,
            phase=HOSTILE,
            decision=HOSTILE,
            violations=(HOSTILE,),
            answer=HOSTILE if outcome == "passed" else None,
            calls=(call,),
            stale=StaleCalls.model_construct(calls=(stale,)) if outcome == "stale" else None,
            detail=detail,
        )

    prompt = RecordedPrompt.model_construct(
        hash="b", name=HOSTILE, phase=HOSTILE, version=HOSTILE, notes=HOSTILE, text=HOSTILE
    )
    return Record(
        path=tmp_path / "hostile.jsonl",
        start=RunStart.model_construct(
            id=HOSTILE,
            started=HOSTILE,
            model=HOSTILE,
            record="none",
            samples=1,
            variants=("", HOSTILE),
            prompts={"": {HOSTILE: "a"}, HOSTILE: {HOSTILE: "b"}},
            versions={HOSTILE: HOSTILE},
            resumed=HOSTILE,
        ),
        results=(
            one(HOSTILE, HOSTILE, "", "failed"),
            one(HOSTILE, HOSTILE, HOSTILE, "passed"),
            one("overview", "self-critique", "", "stale"),
            one("self-critique/sound", "self-critique", "", "errored"),
        ),
        prompts={"a": prompt.model_copy(update={"hash": "a", "text": "short"}), "b": prompt},
        scorecards=(
            ScorecardResult.model_construct(
                name=HOSTILE, measured=[{"guards": HOSTILE}], lines=[HOSTILE], breaches=[HOSTILE]
            ),
        ),
    )


@dataclass
class Element:
    """An HTML element with an end tag: its name, attributes and inner HTML."""

    tag: str
    attributes: dict
    inner: str

    @property
    def text(self):
        """The visible text, with white space collapsed."""
        return _text(self.inner)


class Page(HTMLParser):
    """A parsed HTML page.

    Attributes:
        tags: name and attributes of every start tag.
    """

    def __init__(self, content):
        super().__init__(convert_charrefs=True)
        self.content = content
        self.tags = []
        self._offsets = [0]
        for line in content.split("\n"):
            self._offsets.append(self._offsets[-1] + len(line) + 1)
        self._starts = []
        self._ends = []
        self.feed(content)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Record a start tag and its offset."""
        line, column = self.getpos()
        self.tags.append((tag, dict(attrs)))
        self._starts.append(
            (self._offsets[line - 1] + column, len(self.get_starttag_text()), tag, dict(attrs))
        )

    def handle_endtag(self, tag):
        """Record an end tag and its offset."""
        line, column = self.getpos()
        self._ends.append((self._offsets[line - 1] + column, tag))

    def elements(self, tag, **attributes):
        """Return the elements with this tag and these attributes; the tag must be one that is closed."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            Element(tag, given, self.content[at + length : self._end(at, tag)])
            for at, length, name, given in self._starts
            if name == tag and all(given.get(key) == value for key, value in wanted.items())
        ]

    def by_id(self, name):
        """Return the element with an id."""
        (found,) = [
            (at, length, tag, given) for at, length, tag, given in self._starts if given.get("id") == name
        ]
        at, length, tag, given = found
        return Element(tag, given, self.content[at + length : self._end(at, tag)])

    @property
    def text(self):
        """The text of the whole page."""
        return _text(self.content)

    def _end(self, start, tag):
        places = [(at, 1) for at, _, name, _ in self._starts if name == tag and at >= start]
        places += [(at, -1) for at, name in self._ends if name == tag and at > start]
        depth = 0
        for at, step in sorted(places):
            depth += step
            if not depth:
                return at
        raise AssertionError(f"<{tag}> at {start} does not end")


def _text(content):
    parser = _Text()
    parser.feed(content)
    parser.close()
    return " ".join("".join(parser.parts).split())


class _Text(HTMLParser):
    _UNSEEN = ("script", "style", "title")
    _APART = (
        "p",
        "div",
        "li",
        "td",
        "th",
        "tr",
        "dt",
        "dd",
        "summary",
        "option",
        "h1",
        "h2",
        "h3",
        "h4",
        "pre",
    )

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self._unseen = 0

    def handle_starttag(self, tag, _attrs):
        self._unseen += tag in self._UNSEEN
        if tag in self._APART:
            self.parts.append(" ")

    def handle_endtag(self, tag):
        self._unseen -= tag in self._UNSEEN
        if tag in self._APART:
            self.parts.append(" ")

    def handle_data(self, data):
        if not self._unseen:
            self.parts.append(data)


@pytest.fixture(scope="session")
def parse():
    """Give a function that parses a page."""
    return Page


@pytest.fixture(scope="session")
def hostile_text():
    """Give the text that is in every field of the hostile record."""
    return HOSTILE
