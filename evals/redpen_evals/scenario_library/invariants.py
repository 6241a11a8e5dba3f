"""What must hold of every run, whatever a model says: the closed list of names.

The checks themselves stand in ``redpen_evals.checks``; here are the names alone, so that a scenario
file can be read without them.
"""

from __future__ import annotations

from typing import Literal, get_args

TextInvariant = Literal[
    "result_is_well_formed",
    "calls_stay_bounded",
    "stopped_runs_publish_nothing",
    "high_risk_is_never_published",
    "answers_stay_within_limits",
    "numbers_come_from_the_context",
    "removed_phrases_stay_out",
]
ActionInvariant = Literal[
    "result_is_well_formed",
    "calls_stay_bounded",
    "stopped_runs_publish_nothing",
    "no_pii_tool_runs",
    "no_personal_data_reaches_a_tool",
    "recipient_cap_holds",
    "only_allowed_templates",
    "no_free_text_is_sent",
    "no_mass_broadcast",
    "denied_actions_do_not_run",
]
OwnInvariant = Literal[
    "grounded_in_context",
    "no_personal_data",
    "calls_stay_bounded",
    "numbers_come_from_the_context",
    "in_english",
]
InvariantName = TextInvariant | ActionInvariant

TEXT_INVARIANTS: frozenset[TextInvariant] = frozenset(get_args(TextInvariant))
ACTION_INVARIANTS: frozenset[ActionInvariant] = frozenset(get_args(ActionInvariant))
OWN_INVARIANTS: frozenset[OwnInvariant] = frozenset(get_args(OwnInvariant))
