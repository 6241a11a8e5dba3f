"""Refusal of phrases in packs that can match no text, found by matching each against itself."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.plain_phrases import ANY_FORM, find_phrases, read_with
from redpen.policy.packs import PolicyPack, PolicyPacks, phrase_term
from redpen.yaml_files.problem import FileError, Problem

_WHY = "matches no text, not even itself: write one run of words that contains no end of a sentence"


def check_phrases(packs: PolicyPacks) -> PolicyPacks:
    """Return the packs if each of their phrases can match.

    Raises:
        FileError: names each phrase that cannot.
    """
    problems = dict.fromkeys(problem for pack in packs.packs.values() for problem in _unmatchable(pack))
    if problems:
        raise FileError(tuple(problems))
    return packs


def _unmatchable(pack: PolicyPack) -> Iterator[Problem]:
    policy = pack.self_critique
    lists = [("restricted_phrases", each.code, each.phrases) for each in policy.restricted_phrases]
    lists.append(("allowed_phrases", "allowed_phrases", policy.allowed_phrases))
    for field, code, phrases in lists:
        for phrase in phrases:
            place = pack.places[phrase_term(code, phrase)]
            if not _matches_itself(phrase):
                yield Problem(path=place.path, line=place.line, field=field, text=f"{phrase!r} {_WHY}")


def _matches_itself(phrase: str) -> bool:
    view = read_with(phrase.replace(ANY_FORM, ""), (phrase,))
    return next(find_phrases(view, (phrase,)), None) is not None
