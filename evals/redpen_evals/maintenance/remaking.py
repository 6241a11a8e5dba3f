"""What recordings of a live model would cost to make again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from redpen_evals.maintenance.stock import Entry
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.prices import Prices, format_usd


def remaking_cost(entries: Iterable[Entry], prices: Prices) -> str:
    """Say what recordings would cost to make again, as they were recorded.

    Args:
        entries: recordings of live models.
        prices: the price table.

    Returns:
        Such as ``3 calls, 1,200 prompt and 80 completion tokens, $0.42``; what is not known is said.
    """
    calls, unread = 0, 0
    asked: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for entry in entries:
        cassette = entry.cassette
        if cassette is None:
            unread += 1
            continue
        calls += len(cassette.calls)
        for call in cassette.calls:
            prompt, completion = tokens_of(call)
            asked[cassette.model] += prompt or 0
            answered[cassette.model] += completion or 0
    costs = {model: prices.cost_usd(model, asked[model], answered[model]) for model in asked}
    known = [cost for cost in costs.values() if cost is not None]
    parts = [
        f"{calls:,} call{'' if calls == 1 else 's'}",
        f"{asked.total():,} prompt and {answered.total():,} completion tokens",
    ]
    if known:
        least = "" if len(known) == len(costs) else "at least "
        parts.append(f"{least}{format_usd(sum(known, start=Decimal(0)))}")
    if unpriced := sorted(model for model, cost in costs.items() if cost is None):
        parts.append(f"no price of {', '.join(unpriced)} in {prices.path}")
    if unread:
        parts.append(f"{unread:,} of them cannot be read")
    return ", ".join(parts)
