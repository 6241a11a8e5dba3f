"""Asking a judge about labelled drafts: answers are scripted, or recorded, a cassette a draft."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

import httpx2
from pydantic import SecretStr

from redpen.chat import Chat, ChatClient, ChatSettings
from redpen.errors import RedpenError, Stop
from redpen.guards import Report
from redpen.guards.text import read
from redpen.judges import Judge, Question
from redpen_evals.cassettes.session import RecordingSession, ReplaySession, open_recording, open_replay
from redpen_evals.cassettes.store import JUDGED_DRAFTS, SCRIPTED_MODEL, CassetteLocation
from redpen_evals.cassettes.transport import SharedUpstream
from redpen_evals.errors import UnrecordedError
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.network import NetworkGuard, reaching_out
from redpen_evals.scenario_library.drafts import LabelledDraft
from redpen_evals.traffic.scope import unrecorded

if TYPE_CHECKING:
    from pathlib import Path

    from redpen_evals.cassettes.file import Call
    from redpen_evals.evaluation.evaluator import RecordMode


def scripted_answers(judge: Judge, draft: LabelledDraft) -> dict[str, Any]:
    """Return the answers that a draft's label gives: yes to the question of its family, where it is to block.

    Args:
        judge: whose questions are answered.
        draft: whose label answers them; the quote of a yes is the longest piece that its original lacks.
    """
    found = _question_of(judge, draft) if draft.item.label == "block" else None
    return {
        "answers": [
            {"id": question.id, "answer": "yes", "quote": _new_words(draft)}
            if question is found
            else {"id": question.id, "answer": "no", "quote": ""}
            for question in judge.questions
        ]
    }


def _question_of(judge: Judge, draft: LabelledDraft) -> Question | None:
    blocking = [question for question in judge.questions if question.on_yes == "block"]
    of_family = (question for question in blocking if question.family in {None, draft.item.family})
    return next(of_family, None)


def _new_words(draft: LabelledDraft) -> str:
    before = read(draft.original).text.split()
    after = read(draft.item.revised, draft.original).text.split()
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    pieces = [(end - start, start) for kind, _, _, start, end in changes if kind != "equal"]
    length, start = max(pieces, default=(0, 0))
    return " ".join(after[start : start + length] or after)


_REPLAY_KEY: Final = "replay-needs-no-key"
_TIMEOUT_S: Final = 60.0
_NAMED: Final = 3


def judged_draft_id(judge: str, draft: LabelledDraft) -> str:
    """Return the name that what a judge is asked about a draft goes by in cassettes."""
    return f"{JUDGED_DRAFTS}/{judge}/{draft.id.replace('#', '/')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of one draft.

    Attributes:
        report: what the judge found; None where its answer could not be read.
        error: why not, in words.
        calls: that were made.
    """

    report: Report | None
    error: str = ""
    calls: tuple[Call, ...] = ()

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of requests and of answers."""
        counts = [tokens_of(call) for call in self.calls]
        return sum(asked or 0 for asked, _ in counts), sum(answered or 0 for _, answered in counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRuns:
    """Asks a judge.

    Attributes:
        judge: that is asked; its model decides whose recordings are used.
        cassettes: the folder of all cassettes.
        record: what is recorded of a live model.
        live: how to reach it; needed to record.
        redact: whether personal data in what it answers is replaced in recordings.
    """

    judge: Judge
    cassettes: Path
    record: RecordMode = "none"
    live: ChatSettings | None = None
    redact: bool = False

    def ask(self, drafts: Sequence[LabelledDraft]) -> tuple[Asked, ...]:
        """Ask about each draft, in order.

        Raises:
            UnrecordedError: some have no recording that fits.
            RedpenError: a recording cannot be used, or nothing could be recorded.
        """
        if self.judge.model == SCRIPTED_MODEL:
            return self._scripted(drafts)
        found: list[Asked] = []
        unfit: list[str] = []
        for draft in drafts:
            asked = self._live(self.location(draft), draft)
            if isinstance(asked, str):
                unfit.append(f"{draft.id}: {asked}")
            else:
                found.append(asked)
        if unfit:
            more = [f"… and {len(unfit) - _NAMED} more"] if len(unfit) > _NAMED else []
            raise UnrecordedError("\n  ".join([self._mend(len(unfit)), *unfit[:_NAMED], *more]))
        return tuple(found)

    def location(self, draft: LabelledDraft) -> CassetteLocation:
        """Return the place of the recording of what is asked about a draft."""
        return CassetteLocation(
            root=self.cassettes,
            model=self.judge.model,
            scenario=judged_draft_id(self.judge.path.stem, draft),
        )

    def _mend(self, unfit: int) -> str:
        name = self.judge.path.stem
        command = f"-k scorecard --guards judge:{name} --model {self.judge.model} --record=stale"
        return f"judge:{name}: {unfit} drafts have no recording that fits; `pytest {command}` records them"

    def _scripted(self, drafts: Sequence[LabelledDraft]) -> tuple[Asked, ...]:
        """Ask an endpoint that answers by the labels; it is as fast as a replay, so nothing is kept."""
        from redpen_evals.endpoint.replies import parse_replies
        from redpen_evals.endpoint.server import ScriptedEndpoint

        replies = [
            {"json": scripted_answers(self.judge, draft), "times": self.judge.samples} for draft in drafts
        ]
        if not replies:
            return ()
        location = CassetteLocation(
            root=self.cassettes, model=SCRIPTED_MODEL, scenario=f"{JUDGED_DRAFTS}/unsaved"
        )
        with ScriptedEndpoint(parse_replies(replies)) as endpoint:
            session = open_recording(location, upstream_url=endpoint.base_url)
            with session:
                return tuple(self._asked(session, drafts))

    def _live(self, location: CassetteLocation, draft: LabelledDraft) -> Asked | str:
        """Replay or record one draft; or return in words why its recording does not fit."""
        exists = location.path.exists()
        if self.record != "all" and exists:
            with open_replay(location) as session, NetworkGuard(one_run=True), unrecorded():
                (asked,) = self._asked(session, [draft])
            if not (misses := session.cassette.misses):
                return asked
            if self.record != "stale":
                return misses[0].explain().text.splitlines()[0]
        if self.record == "none":
            return "there is none"
        return self._recorded(location, draft)

    def _recorded(self, location: CassetteLocation, draft: LabelledDraft) -> Asked:
        if self.live is None:
            raise RedpenError(f"recording {location.model} needs a key: set OPENAI_API_KEY")
        key = self.live.api_key.get_secret_value()
        opened = open_recording(
            location, base_url=self.live.base_url, upstream=SharedUpstream(), live_keys=(key,)
        )
        with replace(opened, redact=self.redact) as session, reaching_out(), unrecorded():
            (asked,) = self._asked(session, [draft], self.live)
            if asked.error.startswith("llm_"):
                # Kept, it would take the place of what the model says of this draft.
                raise RedpenError(f"{draft.id}: nothing was saved, {location.model}: {asked.error}")
            session.finish()
        return asked

    def _asked(
        self,
        session: ReplaySession | RecordingSession,
        drafts: Iterable[LabelledDraft],
        live: ChatSettings | None = None,
    ) -> Iterable[Asked]:
        offline = ChatSettings(
            api_key=SecretStr(_REPLAY_KEY), base_url=session.base_url, timeout_s=_TIMEOUT_S, retries=0
        )
        settings = (live or offline).model_copy(update={"model": self.judge.model})
        with httpx2.Client(transport=session.transport, trust_env=False) as http_client:
            chat = ChatClient(settings, http_client=http_client)
            session.cassette.phase = "judge"
            made = 0
            for draft in drafts:
                asked = self._judge_draft(chat, draft)
                calls = session.cassette.made
                yield replace(asked, calls=tuple(calls[made:]))
                made = len(calls)

    def _judge_draft(self, chat: Chat, draft: LabelledDraft) -> Asked:
        try:
            report = self.judge.judge(
                original=draft.original,
                revised=draft.item.revised,
                context=draft.context,
                chat=chat,
                trusted=True,
            )
        except Stop as stop:
            error = stop.details.get("error")
            message = f": {error.get('message')}" if isinstance(error, dict) else ""
            return Asked(report=None, error=f"{stop.reason}{message}")
        return Asked(report=report)
