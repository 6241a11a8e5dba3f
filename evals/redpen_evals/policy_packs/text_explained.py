"""Why a pack decides as it does of one text: each finding with the file and line that says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from redpen.gateway.text_policy import with_policy
from redpen.guards import RevisionRules, check_revision
from redpen.guards.report import Finding
from redpen.guards.revision import check_floor
from redpen.policy.packs import PolicyPack
from redpen_evals.policy_packs.telling import decided_by, indented, loosened, place_of_finding
from redpen_evals.tables import table_lines

Measure = Literal["blocks", "escalates", "recorded"]

_PHRASES = frozenset({"restricted_phrase", "missing_disclaimer"})
_MEASURES: Mapping[str, Measure] = {"record": "recorded", "escalate": "escalates", "block": "blocks"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One finding in a text, and what the pack does about it.

    Attributes:
        measure: what it does.
        finding: of the guards.
        place: ``file:line`` that says so.
    """

    measure: Measure
    finding: Finding
    place: str

    @property
    def read(self) -> str:
        """What was read; of a restricted phrase also why it is one, and what to write in its place."""
        finding = self.finding
        is_phrase = finding.code == "restricted_phrase"
        return f"{finding.reading}: {finding.reason}" if is_phrase else finding.reading


@dataclass(frozen=True, slots=True, kw_only=True)
class TextExplained:
    """What a pack makes of one text.

    Attributes:
        pack: that decides.
        found: in the text, what blocks first.
    """

    pack: PolicyPack
    found: tuple[Found, ...]

    @property
    def passes(self) -> bool:
        """Whether the text may be published without a person."""
        return all(one.measure == "recorded" for one in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "pack": self.pack.name,
            "hash": self.pack.hash,
            "loosens": list(self.pack.loosened),
            "passes": self.passes,
            "found": [
                {
                    "measure": one.measure,
                    "code": one.finding.code,
                    "family": one.finding.family,
                    "text": one.finding.text,
                    "reading": one.finding.reading,
                    "decided_by": one.place,
                }
                for one in self.found
            ],
        }

    def lines(self) -> Iterator[str]:
        """Yield it for people."""
        if self.passes:
            yield f"may be published{loosened(self.pack)}"
        else:
            first = self.found[0]
            yield f"{first.measure}: {first.finding.code} ({first.finding.family})"
            yield decided_by(self.pack, first.place)
        if self.found:
            rows = [
                (one.measure, f"{one.finding.code}: {one.finding.family}", one.place, one.read)
                for one in self.found
            ]
            yield from indented(table_lines(("measure", "finding", "from", "read"), rows))


def explain_text(
    pack: PolicyPack, text: str, *, original: str | None, context: Mapping[str, Any]
) -> TextExplained:
    """Return what a pack makes of a text that is to be published.

    Args:
        pack: that decides.
        text: the text.
        original: the draft that it revises; None for a draft, which is held against the context alone.
        context: the facts.
    """
    policy = pack.self_critique
    rules = with_policy(RevisionRules(max_chars=policy.max_answer_chars), policy, context)
    floor = check_floor(text, context=context, rules=rules).violations
    report = check_revision(original=original or "", revised=text, context=context, rules=rules)
    enforced = original is not None or policy.draft_grounding == "enforce"
    found = [Found(measure="blocks", finding=finding, place=_place(pack, finding)) for finding in floor]
    for finding in report.violations:
        if finding.code in _PHRASES:
            continue
        is_length = finding.code in {"too_long", "empty", "guard_error"}
        measure: Measure = "blocks" if enforced or is_length else "recorded"
        found.append(Found(measure=measure, finding=finding, place=_place(pack, finding)))
    for finding in report.concerns:
        if original is None and finding.code != "unread_language":
            # Without an original every statement is new: that is no news.
            continue
        measure = _MEASURES[policy.concerns.of(finding.code)]
        found.append(Found(measure=measure, finding=finding, place=_place(pack, finding)))
    order: tuple[Measure, ...] = ("blocks", "escalates", "recorded")
    return TextExplained(pack=pack, found=tuple(sorted(found, key=lambda one: order.index(one.measure))))


def _place(pack: PolicyPack, finding: Finding) -> str:
    return place_of_finding(pack, asdict(finding))
