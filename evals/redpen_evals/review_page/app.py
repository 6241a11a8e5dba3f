"""The page's routes: the queue, a review, a decision."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Final
from urllib.parse import parse_qs

from jinja2 import ChoiceLoader, Environment, PackageLoader
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from redpen.errors import RedpenError
from redpen.review import Decision, Outcome, Override, RefusedDecisionError, Review, ReviewQueue
from redpen.review.errors import UnknownReviewError
from redpen.text.json_values import parse_json
from redpen_evals.reports.templating import environment
from redpen_evals.review_page.contents import Shown, facts, shown_edit, shown_review
from redpen_evals.reviewing.rendering import as_text

LOOPBACK: Final = "127.0.0.1"
MAX_LISTED: Final = 200
"""Reviews on one page of the queue."""
MAX_FORM_BYTES: Final = 300_000
"""Enough for the longest edit, percent-encoded."""
_PACKAGE: Final = "redpen_evals.review_page"
_STATES: Final = ("pending", "approved", "edited", "rejected", "expired", "all")
_ASSETS: Final = {"review.css": "text/css", "review.js": "text/javascript"}
_APPROVE: Final = {
    "text": "Approve this text",
    "action": "Approve this action",
    "call": "It was not made: make it now",
}
_EDIT: Final = {
    "text": "Your version of the text",
    "action": "Your version of the action, as JSON with the same id and tool",
    "call": "It was made; the data that the tool answered, as JSON",
}
_TITLE: Final = {
    "text": "The text to publish",
    "action": "The action to carry out",
    "call": "The tool call that may or may not have been made",
}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Decide = Callable[[ReviewQueue, str, Decision], Outcome]
"""Checks a decision and stores it: ``redpen.decide_review``."""


class _UnusableFormError(Exception):
    """A form that is foreign or incomplete; its text says what to do."""


def review_app(queue: ReviewQueue, *, token: str, decide: Decide) -> Starlette:
    """Return the page as an ASGI application.

    Args:
        queue: whose reviews are shown.
        token: the secret in the address; requests without it get 404.
        decide: checks and stores a decision.
    """
    page = _Page(queue, base=f"/{token}", decide=decide)
    routes = [
        Route("/", page.show_queue),
        Route("/review/{id}", page.show_review),
        Route("/review/{id}", page.decide, methods=["POST"]),
        Route("/{name}", _asset),
    ]

    def is_ours(request: Request) -> bool:
        first = request.url.path.lstrip("/").partition("/")[0]
        return hmac.compare_digest(first.encode(), token.encode())

    async def guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        if not is_ours(request):
            response: Response = Response("There is nothing here.\n", 404, media_type="text/plain")
        elif request.method == "POST" and not _is_own_form(request):
            response = Response("This form is of another page.\n", 403, media_type="text/plain")
        else:
            response = await call_next(request)
        response.headers.update(_HEADERS)
        return response

    return Starlette(
        routes=[Mount(f"/{token}", routes=routes)],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[LOOPBACK]),
            Middleware(BaseHTTPMiddleware, dispatch=guard),
        ],
    )


class _Page:
    """The routes, on one queue.

    Args:
        queue: whose reviews are shown.
        base: prefix of every path.
        decide: stores a decision.
    """

    def __init__(self, queue: ReviewQueue, *, base: str, decide: Decide) -> None:
        self._queue = queue
        self._base = base
        self._decide = decide
        self._by = ""

    def show_review(self, request: Request) -> Response:
        """Show one review."""
        return self._review_page(request.path_params["id"])

    async def decide(self, request: Request) -> Response:
        """Store a decision on one review."""
        try:
            form = await _read_form(request)
        except _UnusableFormError as error:
            return self._message("This form cannot be read", str(error), 400)
        return await run_in_threadpool(self._store_decision, request.path_params["id"], form)

    def show_queue(self, request: Request) -> Response:
        """Show the reviews of one state."""
        status = request.query_params.get("status", "pending")
        status = status if status in _STATES else "pending"
        try:
            all_reviews, damaged = self._queue.reviews(), self._queue.damaged()
        except RedpenError as error:
            return self._message("The queue cannot be read", str(error), 500)
        counts = Counter[str](review.status for review in all_reviews)
        states = [(name, len(all_reviews) if name == "all" else counts[name]) for name in _STATES]
        matching = [review for review in all_reviews if status in ("all", review.status)]
        return self._render(
            "queue.html",
            heading="Pending reviews" if status == "pending" else f"Reviews: {status}",
            status=status,
            states=states,
            reviews=matching[:MAX_LISTED],
            more=max(0, len(matching) - MAX_LISTED),
            damaged=damaged,
        )

    def _review_page(
        self,
        id: str,  # noqa: A002 - named as in the queue
        *,
        problem: str = "",
        form: Mapping[str, str] | None = None,
        refused: Shown | None = None,
        codes: Sequence[str] = (),
        code: int = 200,
    ) -> Response:
        form = form or {}
        try:
            review = self._queue.get(id)
            pending = [waiting.id for waiting in self._queue.reviews("pending")]
        except UnknownReviewError as error:
            return self._message("There is no such review", str(error), 404)
        except RedpenError as error:
            return self._message("The review cannot be read", str(error), 500)
        shown = shown_review(review)
        before, after = _neighbours(pending, review.id)
        return self._render(
            "review.html",
            code=code,
            review=review,
            shown=shown,
            problem=problem,
            refused=refused,
            codes=codes,
            edited=form.get("content", shown.text if review.kind != "call" else "{}"),
            by=form.get("by", self._by),
            reason=form.get("reason", ""),
            override_reason=form.get("override_reason", ""),
            decided_text=_content_of(review.decision),
            approve_label=_APPROVE[review.kind],
            edit_label=_EDIT[review.kind],
            content_title=_TITLE[review.kind],
            previous=before,
            next=after,
            facts=facts,
        )

    def _store_decision(self, id: str, form: Mapping[str, str]) -> Response:  # noqa: A002 - named as in the queue
        try:
            review = self._queue.get(id)
            outcome = self._decide(self._queue, review.id, _decision(form, review))
        except UnknownReviewError as error:
            return self._message("There is no such review", str(error), 404)
        except RefusedDecisionError as error:
            is_edit = form.get("kind") == "edit"
            content = form.get("content", "") if is_edit else shown_review(review).text
            refused = shown_edit(review, content, error.findings)
            codes = {str(finding.get("code") or "") for finding in error.findings} | {error.policy_code or ""}
            return self._review_page(
                id,
                problem=str(error),
                form=form,
                refused=refused,
                codes=sorted(filter(None, codes)) if is_edit else (),
                code=422,
            )
        except (_UnusableFormError, RedpenError) as error:
            return self._review_page(id, problem=str(error), form=form, code=422)
        self._by = form.get("by", self._by)
        if outcome.state == "refused":
            return self._review_page(id, problem=outcome.message, form=form, code=409)
        return RedirectResponse(f"{self._base}/review/{review.id}", 303)

    def _message(self, heading: str, problem: str, code: int) -> Response:
        return self._render("message.html", code=code, heading=heading, problem=problem)

    def _render(self, template: str, *, code: int = 200, **values: Any) -> Response:
        return HTMLResponse(_templates().get_template(template).render(base=self._base, **values), code)


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _ASSETS:
        return Response("There is nothing here.\n", 404, media_type="text/plain")
    text = resources.files(_PACKAGE).joinpath("templates", name).read_text(encoding="utf-8")
    return Response(text, media_type=_ASSETS[name])


@lru_cache(maxsize=1)
def _templates() -> Environment:
    reports = environment()
    own = PackageLoader(_PACKAGE, "templates")
    return reports.overlay(loader=ChoiceLoader([own, reports.loader] if reports.loader else [own]))


def _is_own_form(request: Request) -> bool:
    """Return whether the browser's headers allow a form to come from our pages."""
    # Our pages send no referrer, so their origin is `null`.
    origin = request.headers.get("origin")
    if origin not in (None, "null", f"{request.url.scheme}://{request.headers.get('host')}"):
        return False
    return request.headers.get("sec-fetch-site", "same-origin") == "same-origin"


async def _read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form; repeated ones are joined by line breaks."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise _UnusableFormError("Send the form of this page.")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MAX_FORM_BYTES:
                raise _UnusableFormError(f"It is larger than {MAX_FORM_BYTES:,} bytes.")
    except ClientDisconnect as error:
        raise _UnusableFormError("It was cut off.") from error
    try:
        fields = parse_qs(body.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise _UnusableFormError("It is not a UTF-8 form.") from error
    # Browsers send line breaks as CR LF.
    return {name: "\n".join(values).replace("\r\n", "\n") for name, values in fields.items()}


def _decision(form: Mapping[str, str], review: Review) -> Decision:
    kind = form.get("kind", "")
    if kind not in ("approve", "edit", "reject"):
        raise _UnusableFormError("Approve, edit or reject it.")
    fields: dict[str, Any] = {"kind": kind, "by": form.get("by", "").strip()}
    if not fields["by"]:
        raise _UnusableFormError("Say who decides: your name is missing.")
    if kind == "reject":
        fields["reason"] = form.get("reason", "").strip()
        if not fields["reason"]:
            raise _UnusableFormError("Say why: the reason is missing.")
    if kind == "edit":
        fields |= _edit(form, review)
    try:
        return Decision.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise _UnusableFormError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _edit(form: Mapping[str, str], review: Review) -> dict[str, Any]:
    content = form.get("content", "")
    if review.kind == "text":
        edit: dict[str, Any] = {"text": content}
    else:
        try:
            value = parse_json(content)
        except ValueError as error:
            raise _UnusableFormError(f"Your version is not valid JSON: {error}") from error
        if not isinstance(value, dict):
            raise _UnusableFormError("Your version has to be a JSON object.")
        edit = {"action" if review.kind == "action" else "answer": value}
    codes = [code for code in form.get("override", "").split("\n") if code]
    reason = form.get("override_reason", "").strip()
    if codes and not reason:
        raise _UnusableFormError("Say why you accept the findings: the reason is missing.")
    return {**edit, "overrides": tuple(Override(code=code, reason=reason) for code in codes)}


def _content_of(decision: Decision | None) -> str | None:
    if decision is None:
        return None
    contents = (decision.text, decision.action, decision.answer)
    return next((as_text(content) for content in contents if content is not None), None)


def _neighbours(pending: list[str], id: str) -> tuple[str | None, str | None]:  # noqa: A002
    if id not in pending:
        return None, pending[0] if pending else None
    at = pending.index(id)
    return (pending[at - 1] if at else None), (pending[at + 1] if at + 1 < len(pending) else None)
