"""Which rows of the tables of facts no recorded example notices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from redpen_evals.mutation.loading import Loader, loader
from redpen_evals.mutation.tables import Row

FOLLOWED_BY = " >> "
KEY_MARK = " := "
_MODULES = (
    "redpen.guards.seen",
    "redpen.guards.facts",
    "redpen.guards.context_facts",
    "redpen.guards.entailment",
)


def load_guards(loading: Loader, row: Row | None) -> SimpleNamespace:
    """Return the functions that read facts, as they are without a row; with None, as they are."""
    seen, facts, context, entailment = loading.load(row, _MODULES)
    return SimpleNamespace(
        read=seen.read,
        read_facts=facts.read_facts,
        context_knowledge=context.context_knowledge,
        find_new_facts=entailment.find_new_facts,
    )


def mutant_guards(loading: Loader, row: Row) -> SimpleNamespace | None:
    """Return the functions without a row; None where the guards do not even load without it."""
    try:
        return load_guards(loading, row)
    except Exception:  # noqa: BLE001 - whatever a mutant raises shows that the row counts
        return None


def observe(example: str, guards: Any) -> str:
    """Return what the guards read in an example.

    Args:
        example: a text; ``original >> revision`` for what is new in the revision; ``key := value`` for a
            context with one entry.
        guards: the functions to read it with, as ``load_guards`` returns them.
    """
    original, follows, revised = example.partition(FOLLOWED_BY)
    if follows:
        found = guards.find_new_facts(
            revised=guards.read(revised), original=guards.read(original), context={}
        )
        new = (f"{finding.code} {finding.family} [{finding.text}]" for finding in found)
        return "; ".join(new) or "allowed"
    key, is_key, value = example.partition(KEY_MARK)
    if is_key:
        context: Mapping[str, Any] = {key: float(value) if value.replace(".", "").isdigit() else value}
        return "; ".join(_told(known.fact) for known in guards.context_knowledge(context).facts)
    text = guards.read(example).text
    seen = "" if text == example else f"{text} | "
    return seen + "; ".join(_told(fact) for fact in guards.read_facts(text))


def observed(example: str, guards: Any) -> str:
    """Return what the guards read in an example, or how they broke: a mutant may break altogether."""
    try:
        return observe(example, guards)
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises shows that the row counts
        return f"raised {type(error).__name__}"


def surviving_facts(rows: Iterable[Row], examples: Mapping[str, str]) -> list[str]:
    """Return the labels of the rows whose deletion no example notices.

    Args:
        rows: rows of one table.
        examples: its examples, and what is read in each while nothing is deleted.
    """
    alive: list[str] = []
    with loader() as loading:
        load_guards(loading, None)
        for row in rows:
            guards = mutant_guards(loading, row)
            if guards is None:
                continue
            near = [item for item in examples.items() if row.label.lower() in item[0].lower()]
            if all(observed(text, guards) == seen for text, seen in (*near, *examples.items())):
                alive.append(row.label)
    return alive


def _told(fact: Any) -> str:
    readings = "/".join(f"{r.kind} {_value(r.value)} {r.unit}".strip() for r in fact.readings)
    about = " ".join(sorted(fact.subject))
    return " ".join(part for part in (f"{readings} [{fact.text}]", fact.head, about, fact.role) if part)


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "-".join("" if part is None else str(part) for part in value)
    return str(value)
