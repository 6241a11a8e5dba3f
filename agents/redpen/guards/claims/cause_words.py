"""Words beside a tie to a cause: what breaks a service when it happens, and what names no cause."""

from __future__ import annotations

from redpen.guards.claims.morphology import stem

CAUSE_NOUNS = frozenset(
    stem(word)
    for word in (
        "deployment deploy release rollout upgrade migration bug misconfiguration configuration failover "
        "crash attack overload surge change maintenance flaw regression patch update swap push switch "
        "switchover restart reboot rotation expiry cutover cut storm fire flood breach hack"
    ).split()
)
"""Stems of what may break a service when it happens; "after" and "since" give a cause with these alone."""
NEUTRAL = frozenset(
    stem(word)
    for word in (
        "incident issue outage problem disruption degradation event situation impact failure failures error "
        "errors delay delays service services customer customers current ongoing earlier today still under "
        "investigation investigating investigate investigated being been unknown known unclear yet "
        "determined confirmed identified established understood found looking working engineers engineer "
        "team teams cause causes root exact full remain remains open underlying affected above same number "
        "high higher elevated partial review analysis analysed analyzed examined looked process determine "
        "identify subject question remains matter several way underway possible possibility verified trouble "
        "stand until more shared share update updates once available progress us time next part following "
        "previous last latest initial message note notice report reported reports first public pending "
        "confirm confirmation awaiting tbd tbc none assessed work inconvenience caused know understand want "
        "see may might need could shortly soon short brief period few while day days hour hours minutes "
        "minute week moment volume check internal closely actively continue continues continued assessment "
        "finding findings like increased rise increase growing intermittent fail fails failing failed slow "
        "slower further expected other checked traced isolated narrow narrowed tracked pinpointed uncertain "
        "undetermined unconfirmed disclosed discovered stage point far research studied explored followed "
        "keep keeping information details detail recover restored resolve resolved restore fix fixed certain "
        "certainty diagnose diagnosis diagnosed yesterday begin began start started begun end ended "
        "affecting affect response responding respond say speculate any also during interrupted interruption "
        "disrupted writing write contacting latency slowdown slowness timeout timeouts symptom symptoms "
        "riddle puzzle mystery enigma guess promise described mentioned stated"
    ).split()
)
"""Stems of words beside a cause that name none."""
