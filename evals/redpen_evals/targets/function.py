"""An agent that is a callable of this process: called once, or once a turn of a conversation."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from redpen_evals.targets.binding import MESSAGE, MESSAGES, MODEL, bind_arguments, takes
from redpen_evals.targets.calling import call as call_in_time
from redpen_evals.targets.errors import TargetError
from redpen_evals.targets.kinds import Call
from redpen_evals.targets.loading import load_callable
from redpen_evals.targets.run import Run
from redpen_evals.targets.turns import Conversation


def run_function(call: Call) -> Run:
    """Call the agent and return what came of it; raises as ``run_own_agent``."""
    target = call.target
    if target is None:
        target = load_callable(call.scenario.agent or "", call.names, root=call.root)
    conversation = Conversation(call)
    for user in conversation.questions():
        work = _bound(call, target, conversation, user)
        conversation.answered(call_in_time(work, timeout_s=call.scenario.timeout_s, root=call.root))
    return conversation.run()


def _bound(
    call: Call, target: Callable[..., Any], conversation: Conversation, user: str | None
) -> Callable[[], Any]:
    arguments = dict(call.arguments)
    if user is not None:
        if takes(target, MESSAGES):
            arguments[MESSAGES] = conversation.messages(user)
        elif takes(target, MESSAGE):
            arguments[MESSAGE] = user
        else:
            raise TargetError("turns", f"the agent has neither a parameter {MESSAGES!r} nor {MESSAGE!r}")
    if call.model is not None and takes(target, MODEL):
        arguments[MODEL] = call.model
    bound = bind_arguments(target, arguments, context=call.context)
    return functools.partial(target, *bound.args, **bound.kwargs)
