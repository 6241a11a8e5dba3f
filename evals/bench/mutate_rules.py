"""Deletes each row of each rule table in turn: `python evals/bench/mutate_rules.py`.

A row survives when no example of its table reads otherwise without it.

A mutant is made in memory: the module that defines the table is compiled with one statement more, which
takes the row out right after the table is assigned; then every guard module is loaded anew, so that what
is built from the table at import is built without the row. `--record FILE` finds an example for each fact row
that has none among sentences made from templates, and writes them all with what is read in them.
"""

from __future__ import annotations
import __future__

import argparse
import ast
import importlib
import importlib.util
import json
import multiprocessing
import pkgutil
import sys
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
ANNOTATIONS = __future__.annotations.compiler_flag
AGENTS = CHECKOUT / "agents"
TESTS = CHECKOUT / "evals" / "tests" / "guards"
FRESH = ("redpen.guards", "redpen.text")

FACT_TABLES: dict[str, str] = {
    "redpen.guards.quantities_numbers": "UNITS TENS SCALES GLUED_SCALES PARTS ORDINALS EMPHASIS PLURALS",
    "redpen.guards.quantities_units": (
        "TIME EVERY_ONE BEFORE_UNIT SIGNS SIGN_PREFIXES CODES CURRENCY_WORDS COINS NATIONAL PERCENT SURE "
        "MULTIPLIERS NO_MULTIPLIER_AFTER_DOUBLE COMPARED VAGUE"
    ),
    "redpen.guards.quantities_calendar": (
        "MONTHS WEEKDAYS SHORT_WEEKDAYS _MEALS _MEAL_PREPOSITIONS _SHIFTS _PERIODS _EDGES _PART_PREPOSITIONS "
        "_PARTS_OF_DAY RELATIVE_DAYS _HALVES _AROUND NAMED_TIMES NAMED_SPANS _ZONES _SUFFIXES"
    ),
    "redpen.guards.quantities_words": "LEADS _EVERY _INTERVAL _RECOVERY _CADENCE _EVERYDAY _RANK_NOUNS",
    "redpen.guards.quantities": "_HARMLESS_ZERO",
    "redpen.guards.quantities_lexer": "_OWNERS",
    "redpen.guards.quantities_measures": "_CLOCK_UNITS _LETTER_SCALES",
    "redpen.guards.quantifier_words": (
        "AMOUNTS NEARLY LARGE GREETINGS TEAM SUPERLATIVE HIT MANAGES WELL TELL"
    ),
    "redpen.guards.identifiers": (
        "_LABELS _ERRORS _SEVERITY_WORDS _BEFORE_LEVEL SCHEMES _NUMERALS _BETWEEN_LABEL"
    ),
    "redpen.guards.places": (
        "REGION_NAMES COUNTRY_NAMES CITY_NAMES COUNTRY_CODES _CAPITAL_ONLY _CODES_IN_CAPITALS "
        "_ADJECTIVES_OF_NAMES CLOUD_WORDS"
    ),
    "redpen.guards.parties": "VENDORS _CUES _SAYS _COMPANY _ORDINARY",
    "redpen.guards.subjects": "CLASSES _SAME GENERIC _RATES _GROUPING",
    "redpen.guards.context_facts": "_KINDS _WAITS _STEPS _REGION_KEYS _SEVERITY_KEYS",
    "redpen.text.folding": "_NAMED LOOK_ALIKES",
    "redpen.text.apart": "_STEMS _ENDINGS _FRAGMENTS _SMALL",
    "redpen.text.markup": "_BREAKING",
}
"""By module, the tables whose rows the examples of facts have to hold."""

TEMPLATES = (
    "It takes 7 {w}.",
    "It takes two {w}.",
    "It takes 7{w}.",
    "There are {w} alerts.",
    "About {w} of checkouts.",
    "The {w} of orders fail.",
    "It is {w} now.",
    "We saw {w} errors.",
    "It costs {w}5.",
    "It costs 5 {w}.",
    "It costs 5 {W}.",
    "It costs {W}$5.",
    "It costs a few {w}.",
    "It costs 5 {w} dollars.",
    "It is 7 {w}.",
    "On {T} 5 it began.",
    "In {T} it began.",
    "By {T} it ends.",
    "By {w} it ends.",
    "{T}, 5 May 2026.",
    "We meet {w} week.",
    "We meet the {w} day.",
    "We meet next {w}.",
    "We end by {w} of day.",
    "By the {w} of May.",
    "It came {w} lunch.",
    "It came {w} the morning.",
    "It came in the {w}.",
    "It came at {w} past six.",
    "It came at ten {w} six.",
    "It came at 14:30 {W}.",
    "It came at 14:30 {w}.",
    "On the 5{w} it came.",
    "An update {w} hour.",
    "An update {w} 20 minutes.",
    "An update at 20 minute {w}.",
    "Time to {w}: 20 minutes.",
    "Time to fix and {w}: 20 minutes.",
    "Your {w} daily {w}.",
    "Your daily {w}.",
    "The third {w}.",
    "The second {w}.",
    "There is zero {w}.",
    "The {w}'s run is late.",
    "It takes 1:30 {w}.",
    "It costs $5{w}.",
    "It costs $5{T}.",
    "{T} customers are affected.",
    "{T} {w} customers are affected.",
    "{T} all customers are affected.",
    "{T} of the customers are affected.",
    "Not a {w} customer was hit.",
    "Hardly {w} customers pay.",
    "The {w} part of customers are hit.",
    "But {w} of orders fail.",
    "Most {w} customers.",
    "Most {w}.",
    "Most of the {w}.",
    "Most {w} wait.",
    "All orders {w}.",
    "No orders {w}.",
    "All orders fail, {w}.",
    "All orders {w} late.",
    "We {w} all orders that fail.",
    "All customers {w} pages.",
    "It {w} all orders.",
    "{T} 4412 is open.",
    "{T} number 88 is open.",
    "A {w} severity case.",
    "Severity {w} 2.",
    "{T} 2 now.",
    "{T}2 now.",
    "Severity {W} now.",
    "Ticket {w} 88.",
    "Customers in {T} wait.",
    "Customers in {w} wait.",
    "Customers in {W} wait.",
    "Customers in the {T} wait.",
    "{T} customers wait.",
    "It is the {T}.",
    "Canadian {T} is late.",
    "We run in {w}-east-1.",
    "We run in {w}1.",
    "We run in {w}.",
    "We run in {w}2.",
    "{T} said so.",
    "{T} has confirmed it.",
    "We ask {T} about it.",
    "Our {w} Kestrelo waits.",
    "Kestrelo {w} so.",
    "We ask Kestrelo {T} now.",
    "Kestrelo {T} is late.",
    "Now {T} waits.",
    "Write to {T} now.",
    "A 100% {w} fact.",
    "It is 100% {w}.",
    "It is twice {w}.",
    "It is 3 times {w}.",
    "Please double {w}.",
    "It takes 7 {w} days.",
    "7 {w} wait. >> 7 cats wait.",
    "7% of {w} wait. >> 7% of customers wait.",
    "7% of {w} wait. >> 7% of payments wait.",
    "7 {w} wait. >> 7 customers wait.",
    "7 {w} wait. >> 7 payments wait.",
    "7% of {w} fail. >> 7% of dogs fail.",
    "{T} alerts: 7.",
    "7 {w} alerts.",
    "7% of {w}.",
    "The {w} is 7%.",
    "The order {w} is 7%.",
    "{T} orders, 7% fail.",
    "7% of {w} orders. >> 7% of {w} rooms.",
    "order_{w} := 7",
    "order_{w} := 0.5",
    "{w} := 7",
    "{w} := Canada",
    "{w} := critical",
    "{w} := 20 minutes",
    "{w}_minutes := 20",
    "{w} := 1",
    "It is {w}.",
    "It is {w}ed.",
    "It is re-{w}.",
    "It is resolv{w} now.",
    "It is resolv-{w} now.",
    "It is guaran-{w} now.",
    "It is cert {w}.",
    "{w}hello",
    "a{w}b now",
    "7{w}5",
    "7 {w} 5",
    "abc{w}",
    "It is a<{w}>b.",
    "Now {a}-{b} it.",
    "Now {a} {b} it.",
    "Now {s} it.",
    "f u l l y {s} now.",
    "In {c} 7 wait.",
    "Most {w} orders fail.",
    "Our {w}\nKestrelo waits.",
    "They {l} it.",
    "The delivery {w}d.",
    "A query times out. 7% of timeouts.",
    "We run in ca-{w}-1.",
    "Very {w} customers are hit.",
    "The largest {w} of orders are hit.",
    "On March 5{w} it came.",
    "7% of timeout orders fail. >> 7% of timeout rooms fail.",
    "7% of timeouts. >> 7% of lookups.",
    "7 timeouts. >> 7 rooms.",
    "It ends {w} the hour.",
    "An {w} incident {T}1 now.",
    "Up by 7 {w} points.",
    "It costs 5 {w} kong dollars.",
    "f u l l y {s}, now.",
    "7% of {w}d orders. >> 7% of {w}d rooms.",
    "7% of {w}ful orders. >> 7% of {w}ful rooms.",
    "an order {w} of 7%",
    "a run at 5 {w} 20 now",
    "$5{w}",
    "US{w}5",
    "Around {w} we post.",
    "It is {W}.",
    "It is {W}5.",
    "Orders 7{W} high.",
    "A {w} third of orders.",
    "It takes a {w} hour.",
    "It takes {w} hour.",
    "A {w} few dollars.",
    "A {w} of dollars.",
    "{T} of dollars came.",
    "{w} half of orders.",
    "one {w} of orders",
    "two {w} of orders",
    "{w} thousand orders",
    "the {w} customer",
    "Not {w} customer was hit.",
)
"""Sentences in which a row may show: {w} the row, {T} capitalised, {W} in capitals, {s} its letters apart."""
CUT = (
    "resolved restored recovered fixed mitigated repaired guaranteed guarantee promise promised "
    "refunded refund reimbursed credited waived completely fully totally definitely certainly "
    "permanently instantly unaffected affected impacted customers customer payments payment minutes "
    "minute hours seconds second percent doubled double triple tripled half quarter third dozen hundred "
    "thousand million billion worldwide global europe canada tomorrow yesterday thursday saturday "
    "tuesday monday wednesday friday sunday eighty twenty thirty forty fifty sixty seventy ninety "
    "seventeen operational operation normal normally stabilised stabilized stable healthy caused "
    "responsible responsibility negligence liable liability secured resolution compensation compensate "
    "assured assurance working running closed finished ended instant entirely majority mostly everyone "
    "nobody remediated complete permanent restoring recovering repairing transaction stability fault "
    "faulty responsibly stabilise available reimbursement"
).split()
"""Words that a cut in two hides."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: the module and name of the table, and the row's place in the order of the table."""

    module: str
    table: str
    place: int
    label: str

    @property
    def home(self) -> str:
        """The table as examples name it."""
        return f"{self.module.removeprefix('redpen.')}.{self.table}"


def without(table: Any, row: Row) -> Any:
    """Return a table without one row: of a mapping or a set the one so named, else the one at its place."""
    if isinstance(table, (dict, MappingProxyType)):
        kept = {key: value for key, value in table.items() if str(key) != row.label}
        return MappingProxyType(kept) if isinstance(table, MappingProxyType) else kept
    if isinstance(table, frozenset):
        return frozenset(item for item in table if str(item) != row.label)
    return type(table)(item for at, item in enumerate(table) if at != row.place)


def rows_of(table: Any) -> list[Any]:
    """Return the rows of a table, those of a set in a fixed order; the keys of a mapping."""
    return sorted(table) if isinstance(table, frozenset) else list(table)


class Loader:
    """Loads the guards, and again without one row: what does not hang on its table is loaded once."""

    def __init__(self) -> None:
        self._codes: dict[str, tuple[CodeType, str, bool]] = {}
        self._halves: dict[tuple[str, str], tuple[CodeType, CodeType]] = {}
        self._sound: dict[str, ModuleType] = {}
        self._mutant: Row | None = None

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Answer the import system for the modules of the guards."""
        del path, target
        if not name.startswith(FRESH):
            return None
        _, source, package = self._code(name)
        if not source:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=source, is_package=package)  # type: ignore[arg-type]
        if spec is not None and package:
            spec.submodule_search_locations = [str(Path(source).parent)]
        return spec

    def create_module(self, spec: object) -> None:
        """Leave the making of a module to the import system."""
        del spec

    def exec_module(self, module: ModuleType) -> None:
        """Run a module, without the row of the mutant if it is the one that defines it."""
        code, source, _ = self._code(module.__name__)
        module.__file__ = source
        mutant = self._mutant
        if mutant is None or mutant.module != module.__name__:
            exec(code, module.__dict__)  # noqa: S102 - the checkout's own modules
            return
        key = mutant.module, mutant.table
        if key not in self._halves:
            self._halves[key] = _halves(Path(source), mutant.table)
        before, after = self._halves[key]
        exec(before, module.__dict__)  # noqa: S102
        setattr(module, mutant.table, without(getattr(module, mutant.table), mutant))
        exec(after, module.__dict__)  # noqa: S102

    def _code(self, name: str) -> tuple[CodeType, str, bool]:
        if name not in self._codes:
            stem = AGENTS.joinpath(*name.split("."))
            package = stem.is_dir()
            source = stem / "__init__.py" if package else stem.with_suffix(".py")
            if not source.is_file():
                return compile("", name, "exec"), "", False
            # The package of the guards itself would load all of them: each is asked for by name instead.
            text = "" if name == "redpen.guards" else source.read_text(encoding="utf-8")
            self._codes[name] = compile(text, str(source), "exec"), str(source), package
        return self._codes[name]

    def load(self, mutant: Row | None, names: Sequence[str]) -> list[ModuleType]:
        """Return the named modules as the mutant has them; those of no mutant are kept for the next call."""
        _forget()
        self._mutant = mutant
        if mutant is not None:
            touched = self._hanging_on(mutant.module)
            for name, module in self._sound.items():
                # A package would hand out the sound module for "from package import module".
                package, _, attribute = name.rpartition(".")
                vars(self._sound.get(package, module)).pop(attribute, None)
                if name not in touched:
                    sys.modules[name] = module
                    setattr(self._sound.get(package, module), attribute, module)
        modules = [importlib.import_module(name) for name in names]
        if mutant is None:
            self._sound = {name: module for name, module in sys.modules.items() if name.startswith(FRESH)}
        return modules

    def _hanging_on(self, name: str) -> set[str]:
        """Return a module and all that import it, directly or not."""
        found = {name}
        while True:
            more = {
                other
                for other, module in self._sound.items()
                if other not in found and not found.isdisjoint(_imports(Path(str(module.__file__))))
            }
            if not more:
                return found
            found |= more


@lru_cache(maxsize=256)
def _imports(source: Path) -> frozenset[str]:
    """Return the modules that a module names in its imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and source.name != "__init__.py":
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return frozenset(found)


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith(FRESH)]:
        del sys.modules[name]


def _halves(source: Path, table: str) -> tuple[CodeType, CodeType]:
    """Compile a module in two: up to where a table is assigned, and the rest."""
    body = ast.parse(source.read_text(encoding="utf-8")).body
    for at, node in enumerate(body):
        if table in _names(node):
            # What a module postpones of its annotations holds for both halves.
            parts = (ast.Module(part, []) for part in (body[: at + 1], body[at + 1 :]))
            first, second = (compile(part, str(source), "exec", flags=ANNOTATIONS) for part in parts)
            return first, second
    raise LookupError(f"{source}: no table {table}")


def _names(node: ast.stmt) -> set[str]:
    """Return the names that a statement assigns."""
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return {target.id for target in targets if isinstance(target, ast.Name)}


FACT_MODULES = (
    "redpen.text.views",
    "redpen.guards.facts",
    "redpen.guards.context_facts",
    "redpen.guards.entailment",
)


def _api(modules: Sequence[ModuleType]) -> SimpleNamespace:
    views, facts, context, entailment = modules
    return SimpleNamespace(
        read=views.read,
        read_facts=facts.read_facts,
        context_knowledge=context.context_knowledge,
        find_new_facts=entailment.find_new_facts,
    )


def _tests() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fact_words_under_mutation", TESTS / "test_fact_words.py")
    if spec is None or spec.loader is None:
        raise LookupError(f"{TESTS}: no examples of facts")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fact_rows() -> list[Row]:
    """Return every row of the tables of facts."""
    found: list[Row] = []
    for module_name, tables in FACT_TABLES.items():
        module = importlib.import_module(module_name)
        for table in tables.split():
            rows = rows_of(getattr(module, table))
            found += (Row(module_name, table, at, str(row)) for at, row in enumerate(rows))
    return found


def claim_rows() -> list[tuple[Row, str, str]]:
    """Return every row of the tables of claims, with the text that it blocks and the one that it lets pass.

    A row is one that holds both as ``blocks`` and ``passes``; tables made of other tables count once.
    """
    package = importlib.import_module("redpen.guards.claims")
    found: list[tuple[Row, str, str]] = []
    for info in pkgutil.walk_packages(package.__path__, "redpen.guards.claims."):
        module = importlib.import_module(info.name)
        own = _assigned(Path(str(module.__file__)))
        tables = {
            name: value
            for name, value in vars(module).items()
            if name in own
            and isinstance(value, tuple)
            and value
            and all(hasattr(row, "blocks") for row in value)
        }
        for name, rows in tables.items():
            others = [
                row
                for other, value in tables.items()
                if other != name and len(value) < len(rows)
                for row in value
            ]
            found += (
                (Row(info.name, name, at, str(row)[:70]), row.blocks, row.passes)
                for at, row in enumerate(rows)
                if not any(row is other for other in others)
            )
    return found


def _assigned(source: Path) -> set[str]:
    """Return the names that a module assigns itself, but for tables that only join others."""
    found: set[str] = set()
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        value = getattr(node, "value", None)
        joins = isinstance(value, ast.Tuple) and all(
            isinstance(item, (ast.Starred, ast.Name)) for item in value.elts
        )
        found |= set() if joins else _names(node)
    return found


def _observed(observe: Any, example: str, api: SimpleNamespace) -> str:
    try:
        return str(observe(example, api))
    except Exception as error:  # noqa: BLE001 - a mutant may break the reading altogether
        return f"raised {type(error).__name__}"


def _surviving_facts(rows: Iterable[Row]) -> list[Row]:
    """Return the rows whose deletion no example notices; those of their own table are looked at first."""
    tests, loader = _tests(), Loader()
    sys.meta_path.insert(0, loader)
    ordered = {table: list(seen.items()) for table, seen in tests.EXAMPLES.items()}
    alive: list[Row] = []
    loader.load(None, FACT_MODULES)
    for row in rows:
        own = ordered.get(row.home, [])
        near = [item for item in own if row.label.lower() in item[0].lower()]
        api = _api(loader.load(row, FACT_MODULES))
        if not any(_observed(tests.observe, text, api) != seen for text, seen in (*near, *own)):
            alive.append(row)
    sys.meta_path.remove(loader)
    _forget()
    return alive


def _surviving_claims(rows: Iterable[tuple[Row, str, str]]) -> list[Row]:
    """Return the rows of claims whose deletion changes nothing in what they block or let pass."""
    loader = Loader()
    sys.meta_path.insert(0, loader)
    wanted = list(rows)
    names = ("redpen.guards.claims",)

    def families(claims: ModuleType, text: str) -> list[str]:
        return [claim.family for claim in claims.find_claims(text)]

    (claims,) = loader.load(None, names)
    before = [(families(claims, blocks), families(claims, passes)) for _, blocks, passes in wanted]
    alive: list[Row] = []
    for (row, blocks, passes), seen in zip(wanted, before, strict=True):
        (claims,) = loader.load(row, names)
        if (families(claims, blocks), families(claims, passes)) == seen:
            alive.append(row)
    sys.meta_path.remove(loader)
    _forget()
    return alive


def _candidates(label: str) -> list[str]:
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
    cut = (
        f"Now {word.removesuffix(label)} {label}." for word in CUT if word.endswith(label) and word != label
    )
    return list(dict.fromkeys((*(template.format_map(parts) for template in TEMPLATES), *cut)))


def _examples(jobs: Sequence[Row]) -> list[tuple[Row, str, str]]:
    """Find for each row the first sentence in which it shows: the row, the sentence, what is read in it."""
    tests, loader = _tests(), Loader()
    sys.meta_path.insert(0, loader)
    sound = _api(loader.load(None, FACT_MODULES))
    found: list[tuple[Row, str, str]] = []
    for job in jobs:
        known = [text for text in tests.EXAMPLES.get(job.home, ()) if job.label.lower() in text.lower()]
        mutant = _api(loader.load(job, FACT_MODULES))
        for text in (*known, *_candidates(job.label)):
            seen = _observed(tests.observe, text, sound)
            if _observed(tests.observe, text, mutant) != seen:
                found.append((job, text, seen))
                break
        else:
            found.append((job, "", ""))
    sys.meta_path.remove(loader)
    _forget()
    return found


def record(target: Path, processes: int) -> list[Row]:
    """Write an example for every row of the fact tables that shows in one, and return the other rows."""
    rows = fact_rows()
    kept: dict[str, dict[str, str]] = {}
    missing: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        parts = [rows[at : at + 60] for at in range(0, len(rows), 60)]
        for row, text, seen in chain.from_iterable(pool.imap(_examples, parts)):
            if text:
                kept.setdefault(row.home, {})[text] = seen
            else:
                missing.append(row)
    target.write_text(yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=200), encoding="utf-8")
    return missing


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join((*lines, "")))


def main() -> int:
    """Run the check; the exit code is 1 when a row survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--record", type=Path, help="write examples of facts to this file")
    parser.add_argument("--only", choices=("facts", "claims"))
    options = parser.parse_args()
    begun = time.perf_counter()
    if options.record:
        missing = record(options.record, options.processes)
        _say(f"{len(missing)} rows without an example", *(f"  {row.home}: {row.label}" for row in missing))
        return 0
    alive: list[Row] = []
    count = 0
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        waiting = []
        if options.only != "claims":
            facts = fact_rows()
            count += len(facts)
            waiting += [
                pool.apply_async(_surviving_facts, (facts[at : at + 60],)) for at in range(0, len(facts), 60)
            ]
        if options.only != "facts":
            claims = claim_rows()
            count += len(claims)
            waiting += [
                pool.apply_async(_surviving_claims, (claims[at : at + 30],))
                for at in range(0, len(claims), 30)
            ]
        for answer in waiting:
            alive += answer.get()
    for row in alive:
        _say(f"survives: {row.home}: {row.label}")
    seconds = round(time.perf_counter() - begun, 1)
    _say(json.dumps({"rows": count, "survivors": len(alive), "seconds": seconds}))
    return bool(alive)


if __name__ == "__main__":
    sys.path[:0] = [str(AGENTS), str(CHECKOUT / "evals")]
    raise SystemExit(main())
