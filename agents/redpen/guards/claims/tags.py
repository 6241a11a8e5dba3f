"""What a word can be to a claim: bit flags, since one word may be several things.

Plain integers and no enumeration: the reading tests thousands of them a text.
"""

from __future__ import annotations

from typing import Final

BE: Final = 1 << 0
BEEN: Final = 1 << 1
BEING: Final = 1 << 2
HAVE: Final = 1 << 3
DO: Final = 1 << 4
WILL: Final = 1 << 5
MAY: Final = 1 << 6
CAN: Final = 1 << 7
TO: Final = 1 << 8
NOT: Final = 1 << 9
NO: Final = 1 << 10
ADVERB: Final = 1 << 11
AND: Final = 1 << 12
BUT: Final = 1 << 13
CONDITION: Final = 1 << 14
HARD_CONDITION: Final = 1 << 15
OPENER: Final = 1 << 16
COMPLEMENT: Final = 1 << 17
HEDGE: Final = 1 << 18
DETERMINER: Final = 1 << 19
PRONOUN: Final = 1 << 20
PREPOSITION: Final = 1 << 21
AGENT: Final = 1 << 22
PROBLEM: Final = 1 << 23
COPULAR: Final = 1 << 24
PAST: Final = 1 << 25
BASE: Final = 1 << 26
THIRD: Final = 1 << 27
GERUND: Final = 1 << 28
ENDS: Final = 1 << 29
ENDS_PROBLEM: Final = 1 << 30
RESUMES: Final = 1 << 31
RUNS: Final = 1 << 32
CARRIES: Final = 1 << 33
HEALTHY: Final = 1 << 34
FINE: Final = 1 << 35
SAFE: Final = 1 << 36
GUARDED: Final = 1 << 37
HARM: Final = 1 << 38
BAD: Final = 1 << 39
REPAIR: Final = 1 << 40
DONE: Final = 1 << 41
DEPLOYS: Final = 1 << 42
MARK: Final = 1 << 43
NUMBER: Final = 1 << 44
COMMUNICATES: Final = 1 << 45
SENSITIVE: Final = 1 << 46
REMOTE: Final = 1 << 47
PARTIAL: Final = 1 << 48
GLAD: Final = 1 << 49
CAUSER: Final = 1 << 51
HINDERS: Final = 1 << 52
RECURS: Final = 1 << 53
EVIDENCE: Final = 1 << 54
ACHIEVES: Final = 1 << 55
UNIVERSAL: Final = 1 << 56
REMEDIES: Final = 1 << 57
OFFERED: Final = 1 << 58

ANY_FORM: Final = PAST | BASE | THIRD | GERUND
