"""What a sweep costs, as ratios: `python evals/bench/sweep.py --rows 20000`.

Makes drafts, sweeps them with one worker and with two, and prints the rates, two workers over one, a worker
over a plain loop around `check_revision`, and the most memory that the sweep took. With `--kills 20` it also
kills a sweep that often, resumes it, and compares the bytes with those of one that was left alone. With
`--large 1000000` it sweeps that many as well, with two workers, and says what memory the two sizes took.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "agents"), str(HERE.parent)]

from redpen.guards import check_revision  # noqa: E402

SYSTEMS = "checkout login search upload webhooks invoices tickets payouts exports sync".split()
PLACES = "US UK EU Canada Japan".split()
STATES = ("degraded", "slow", "failing for some customers", "unavailable at times")
MORE = (
    "We are looking into the cause.",
    "Our team is on it, and we write again in {eta} minutes.",
    "The issue is resolved.",
    "Payments are safe.",
    "We will refund all fees.",
    "Thank you for your patience.",
    "About {wrong}% of attempts fail.",
    "Please do not retry by hand.",
    "This was caused by a failed update.",
    "There is no estimate yet.",
)
LOOPED = 4_000


def drafts(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield rows of drafts; the same seed gives the same rows."""
    rng = random.Random(seed)  # noqa: S311 - no secret hangs on it
    for number in range(count):
        system, place, share = rng.choice(SYSTEMS), rng.choice(PLACES), rng.randrange(3, 60)
        eta = rng.choice((15, 30, 45, 60))
        original = (
            f"{system.capitalize()} in the {place} is {rng.choice(STATES)}. About {share}% of attempts are "
            f"affected. We expect an improvement in about {eta} minutes. We are sorry for the trouble."
        )
        added = rng.choice(MORE).format(eta=eta, wrong=share + rng.choice((0, 0, 1)))
        incident = {"incident_id": f"inc_{number % 997}", "affected_pct": share, "eta_minutes": eta}
        context = {"region": place, "incident": incident}
        yield {"id": number, "original": original, "revised": f"{original} {added}", "context": context}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--large", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_rows(folder, asked.rows)
        loop = _loop_rate(min(LOOPED, asked.rows))
        rates = {workers: asked.rows / _seconds(folder, f"by-{workers}", workers) for workers in (1, 2)}
        memory = _memory()
        _say(f"loop over check_revision: {loop:,.0f} drafts/s")
        _say(f"sweep: {rates[1]:,.0f} with one worker, {rates[2]:,.0f} with two (starting included)")
        _say(f"two workers / one: {rates[2] / rates[1]:.2f}; one worker / loop: {rates[1] / loop:.2f}")
        _say(f"most memory of a process: {memory:,.0f} MiB for {asked.rows:,} rows")
        if asked.kills:
            _kill(folder, asked.kills)
        if asked.large:
            _write_rows(folder, asked.large)
            rate = asked.large / _seconds(folder, "large", 2)
            _say(f"{asked.large:,} rows with two workers: {rate:,.0f} drafts/s")
            _say(f"most memory of a process: {_memory():,.0f} MiB, {_memory() / memory:.2f} of the above")


def _write_rows(folder: Path, count: int) -> None:
    with (folder / "rows.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in drafts(count))


def _memory() -> float:
    """Return the most memory, in MiB, that any process begun here has taken so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _loop_rate(count: int) -> float:
    rows = list(drafts(count))
    for row in rows[:50]:
        check_revision(original=row["original"], revised=row["revised"], context=row["context"])
    start = time.perf_counter()
    for row in rows:
        check_revision(original=row["original"], revised=row["revised"], context=row["context"])
    return count / (time.perf_counter() - start)


def _command(folder: Path, out: str, workers: int) -> list[str]:
    place = ["-m", "redpen_evals", "sweep", str(folder / "rows.jsonl"), "--out", str(folder / out)]
    return [sys.executable, *place, "--workers", str(workers), "--resume", "--shard-rows", "500"]


def _seconds(folder: Path, out: str, workers: int) -> float:
    start = time.perf_counter()
    subprocess.run(_command(folder, out, workers), check=True, capture_output=True)  # noqa: S603
    return time.perf_counter() - start


def _kill(folder: Path, times: int) -> None:
    rng = random.Random(times)  # noqa: S311 - no secret hangs on it
    killed = 0
    while killed < times:
        process = subprocess.Popen(  # noqa: S603
            _command(folder, "killed", 2), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(timeout=1.0 + 2.0 * rng.random())
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    _seconds(folder, "killed", 2)
    parts = [
        [path.read_bytes() for path in sorted((folder / out).glob("verdicts-*.jsonl"))]
        for out in ("killed", "by-2")
    ]
    same = "the same bytes" if parts[0] == parts[1] else "OTHER BYTES"
    _say(f"killed {killed} times, then resumed: {same} in {len(parts[0])} shards")


if __name__ == "__main__":
    main()
