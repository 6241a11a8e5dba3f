"""Fixtures of the review page tests: a queue with two reviews, and the page that serves it."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from pydantic import SecretStr

from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.reflection import run_reflection_agent
from redpen.chat import ChatClient, ChatSettings
from redpen.chat.pool import new_http_client
from redpen.review import Decision, open_reviews
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from review_server import serve_reviews

REQUEST = {"request": {"report_date": "2026-03-06", "region": "us", "incident_id": "inc_payments_20260306"}}
CONTEXT = {
    "report_date": "2026-03-06",
    "region": "US",
    "incident": {"severity": "P1", "affected_checkout_share": 0.27},
    "policy_hints": {"avoid_absolute_guarantees": True},
}
DRAFT = (
    "Since this morning about 27% of checkouts in the US fail. Our team investigates. "
    "<b>Next update</b> follows."
)
RULE = {
    "code": "acme.everybody",
    "when": {"args.channel": "status_page", "args.audience_segment": "all_customers"},
    "then": "escalate",
}
REVIEW = {"decision": "escalate", "issues": [], "fix_plan": [], "reason": "Legal has to see \u202ethis."}


class Queue(NamedTuple):
    """A queue with a pending text and a pending action."""

    address: str
    reviews: object
    text: str
    action: str


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Give the address of a queue."""
    return f"sqlite:///{tmp_path_factory.mktemp('reviews')}/reviews.db"


@pytest.fixture(scope="module")
def page(address, tmp_path_factory):
    """Give the URL of the review page."""
    open_reviews(address).close()
    with serve_reviews(address, tmp_path_factory.mktemp("project")) as url:
        yield url


@pytest.fixture
def queue(address):
    """Give the queue with exactly two pending reviews."""
    reviews = open_reviews(address)
    replies = parse_replies([{"json": {"draft": DRAFT}}, {"json": REVIEW}])
    with ScriptedEndpoint(replies) as endpoint, new_http_client() as client:
        settings = ChatSettings(api_key=SecretStr("k-1"), base_url=endpoint.base_url, retries=0)
        chat = ChatClient(settings, http_client=client)
        text = run_reflection_agent(
            goal="Tell customers", incident_context=CONTEXT, chat=chat, review=reviews
        )
    action = run_guarded_policy_agent(
        goal="Tell customers", request=REQUEST, policy={"rules": [RULE]}, review=reviews
    )
    yield Queue(address, reviews, text.review_id, action.review_id)
    for left in reviews.reviews("pending"):
        reviews.decide(left.id, Decision(kind="reject", by="the end of the test"))
    reviews.close()
