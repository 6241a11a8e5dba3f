"""Call a judge on labelled drafts, with scripted answers, or with one cassette per draft."""

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
    """Return a judge's answers by the label of a draft: yes to the question of its family if it is blocked.

    Args:
        judge: the judge with the questions.
        draft: the labelled draft; the quote of a yes is the longest piece that is not in the original.
    """
    matching = _question_of(judge, draft) if draft.item.label == "block" else None
    return {
        "answers": [
            {"id": question.id, "answer": "yes", "quote": _new_words(draft)}
            if question is matching
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
_MAX_LISTED: Final = 3


def judged_draft_id(judge: str, draft: LabelledDraft) -> str:
    """Return the id in cassettes of a judge's call on a draft."""
    return f"{JUDGED_DRAFTS}/{judge}/{draft.id.replace('#', '/')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftAnswer:
    """The judge's answer on one draft.

    Attributes:
        report: the judge's report; None if its answer could not be read.
        error: why it could not be read.
        calls: the calls that were made.
        warnings: about its recording.
    """

    report: Report | None
    error: str = ""
    calls: tuple[Call, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of requests and answers."""
        counts = [tokens_of(call) for call in self.calls]
        return sum(prompt or 0 for prompt, _ in counts), sum(completion or 0 for _, completion in counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRuns:
    """Calls a judge.

    Attributes:
        judge: the judge; its model selects the recordings.
        cassettes: the folder of all cassettes.
        record: which calls of a live model are recorded.
        live: settings of the live model; needed to record.
        redact: whether personal data in its answers is replaced in recordings.
    """

    judge: Judge
    cassettes: Path
    record: RecordMode = "none"
    live: ChatSettings | None = None
    redact: bool = False

    def ask(self, drafts: Sequence[LabelledDraft]) -> tuple[DraftAnswer, ...]:
        """Call the judge on each draft, in order.

        Raises:
            UnrecordedError: some have no matching recording.
            RedpenError: a recording cannot be loaded or made.
        """
        if self.judge.model == SCRIPTED_MODEL:
            return self._scripted(drafts)
        answers: list[DraftAnswer] = []
        problems: list[str] = []
        for draft in drafts:
            answer = self._live(self.location(draft), draft)
            if isinstance(answer, str):
                problems.append(f"{draft.id}: {answer}")
            else:
                answers.append(answer)
        if problems:
            more = [f"… and {len(problems) - _MAX_LISTED} more"] if len(problems) > _MAX_LISTED else []
            message = self._unrecorded_message(len(problems))
            raise UnrecordedError("\n  ".join([message, *problems[:_MAX_LISTED], *more]))
        return tuple(answers)

    def location(self, draft: LabelledDraft) -> CassetteLocation:
        """Return the location of the recording for a draft."""
        return CassetteLocation(
            root=self.cassettes,
            model=self.judge.model,
            scenario=judged_draft_id(self.judge.path.stem, draft),
        )

    def _unrecorded_message(self, count: int) -> str:
        name = self.judge.path.stem
        command = f"-k scorecard --guards judge:{name} --model {self.judge.model} --record=stale"
        return f"judge:{name}: {count} drafts have no matching recording; `pytest {command}` records them"

    def _scripted(self, drafts: Sequence[LabelledDraft]) -> tuple[DraftAnswer, ...]:
        """Call an endpoint that answers by the labels; it is as fast as a replay, so nothing is recorded."""
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
                return tuple(self._answers(session, drafts))

    def _live(self, location: CassetteLocation, draft: LabelledDraft) -> DraftAnswer | str:
        """Replay or record one draft, or return why its recording does not match."""
        exists = location.path.exists()
        if self.record != "all" and exists:
            with open_replay(location) as session, NetworkGuard(one_run=True), unrecorded():
                (answer,) = self._answers(session, [draft])
            if not (misses := session.cassette.misses):
                return replace(answer, warnings=session.warnings)
            if self.record != "stale":
                return misses[0].text.splitlines()[0]
        if self.record == "none":
            return "there is no recording"
        return self._recorded(location, draft)

    def _recorded(self, location: CassetteLocation, draft: LabelledDraft) -> DraftAnswer:
        if self.live is None:
            raise RedpenError(f"recording {location.model} needs a key: set OPENAI_API_KEY")
        key = self.live.api_key.get_secret_value()
        opened = open_recording(
            location, base_url=self.live.base_url, upstream=SharedUpstream(), live_keys=(key,)
        )
        with replace(opened, redact=self.redact) as session, reaching_out(), unrecorded():
            (answer,) = self._answers(session, [draft], self.live)
            if answer.error.startswith("llm_"):
                # A saved error would be replayed instead of the model's answer.
                raise RedpenError(f"{draft.id}: nothing was saved, {location.model}: {answer.error}")
            session.finish()
        return answer

    def _answers(
        self,
        session: ReplaySession | RecordingSession,
        drafts: Iterable[LabelledDraft],
        live: ChatSettings | None = None,
    ) -> Iterable[DraftAnswer]:
        offline = ChatSettings(
            api_key=SecretStr(_REPLAY_KEY), base_url=session.base_url, timeout_s=_TIMEOUT_S, retries=0
        )
        settings = (live or offline).model_copy(update={"model": self.judge.model})
        with httpx2.Client(transport=session.transport, trust_env=False) as http_client:
            chat = ChatClient(settings, http_client=http_client)
            session.cassette.phase = "judge"
            made = 0
            for draft in drafts:
                answer = self._judge_draft(chat, draft)
                calls = session.cassette.made
                yield replace(answer, calls=tuple(calls[made:]))
                made = len(calls)

    def _judge_draft(self, chat: Chat, draft: LabelledDraft) -> DraftAnswer:
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
            return DraftAnswer(report=None, error=f"{stop.reason}{message}")
        return DraftAnswer(report=report)
