"""Finds examples for the rows of the fact tables: `python evals/bench/mutate_rules.py FILE`.

That every row of every table has an example that notices its deletion is checked by evals/tests/mutation.
This command makes such examples for rows that are new: of sentences made from templates it takes, for each,
the first that reads otherwise without the row, and writes all of them with what is read in them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
RECORDED = CHECKOUT / "evals" / "tests" / "guards" / "fact_words.yaml"
ROWS_A_JOB = 60

sys.path[:0] = [str(CHECKOUT / "agents"), str(CHECKOUT / "evals")]

from redpen_evals.mutation.facts import load_guards, mutant_guards, observed  # noqa: E402
from redpen_evals.mutation.loading import loader  # noqa: E402
from redpen_evals.mutation.tables import Row, fact_tables  # noqa: E402


def _load(path: Path) -> object:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def candidates(label: str) -> Iterator[str]:
    """Yield the sentences in which a row may show."""
    half = max(1, len(label) // 2)
    parts = {
        "w": label,
        "T": label.title() if label.islower() else label,
        "W": label.upper(),
        "s": " ".join(label),
        "a": label[:half],
        "b": label[half:],
        "c": label.capitalize(),
        "l": label.lower(),
    }
    for template in _load(HERE / "fact_templates.yaml"):  # type: ignore[attr-defined]
        yield template.format_map(parts)


def find_examples(rows: Sequence[Row]) -> list[tuple[Row, str, str]]:
    """Return, for each row, the first sentence in which it shows and what is read in it; empty for none."""
    recorded: dict[str, dict[str, str]] = _load(RECORDED)  # type: ignore[assignment]
    found: list[tuple[Row, str, str]] = []
    with loader() as loading:
        sound = load_guards(loading, None)
        for row in rows:
            own = recorded.get(row.home, {})
            near = [text for text in own if row.label.lower() in text.lower()]
            mutant = mutant_guards(loading, row)
            shows = (
                (text, seen)
                for text in dict.fromkeys((*near, *candidates(row.label), *own))
                if observed(text, mutant) != (seen := observed(text, sound))
            )
            found.append((row, *next(shows, ("", ""))))
    return found


def main() -> int:
    """Write the examples; the exit code is 1 when some row has none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where to write the examples, such as fact_words.yaml")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    begun = time.perf_counter()
    rows = [row for table in fact_tables().values() for row in table]
    jobs = [rows[at : at + ROWS_A_JOB] for at in range(0, len(rows), ROWS_A_JOB)]
    kept: dict[str, dict[str, str]] = {}
    missing: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for row, text, seen in chain.from_iterable(pool.imap(find_examples, jobs)):
            if text:
                kept.setdefault(row.home, {})[text] = seen
            else:
                missing.append(row)
    written = yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=200)
    options.file.write_text(written, encoding="utf-8")
    figures = {
        "rows": len(rows),
        "missing": len(missing),
        "seconds": round(time.perf_counter() - begun, 1),
    }
    lines = [f"no example: {row.home}: {row.label}" for row in missing]
    sys.stdout.write("\n".join((*lines, json.dumps(figures), "")))
    return bool(missing)


if __name__ == "__main__":
    raise SystemExit(main())
