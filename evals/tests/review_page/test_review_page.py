"""The review page over HTTP: access, contents, decisions and form errors."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from redpen.review import Decision

DRAFT_OF_A_PERSON = (
    "Since this morning about 27% of checkouts in the US fail.\n"
    "Our team investigates; the next update follows."
)


def ask(url, path="", *, form=None, headers=None, body=None):
    """Request the page and return status, headers and text."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
    sent = {"Content-Type": "application/x-www-form-urlencoded"} if form or body else {}
    body = urlencode(form, doseq=True) if form else body
    connection.request("POST" if body else "GET", parts.path + path, body, {**sent, **(headers or {})})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def decide(page, id_, **form):
    return ask(page, f"review/{id_}", form=form)


class TestAccess:
    @pytest.mark.parametrize("path", ["/", "/review.css", "/wrong/", "/wrong/review/1"])
    def test_path_without_the_secret_is_404(self, page, path):
        parts = urlsplit(page)
        status, _, text = ask(f"{parts.scheme}://{parts.netloc}", path)
        assert (status, text) == (404, "There is nothing here.\n")

    def test_other_host_header_is_refused(self, page):
        assert ask(page, headers={"Host": "evil.example"})[0] == 400

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "https://evil.example"},
            {"Origin": "http://127.0.0.1:1"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ],
    )
    def test_cross_site_form_is_refused(self, page, queue, headers):
        form = {"kind": "approve", "by": "eve"}
        assert ask(page, f"review/{queue.text}", form=form, headers=headers)[0] == 403
        assert queue.reviews.get(queue.text).status == "pending"

    def test_pages_load_no_external_resource_and_are_not_cached(self, page):
        _, headers, text = ask(page)
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Set-Cookie"] is None
        assert not re.findall(r"(?:src|href)=\"?https?:", text)


class TestQueue:
    def test_pending_reviews_are_listed(self, page, queue):
        text = ask(page)[2]
        assert queue.text in text
        assert queue.action in text
        assert "Legal has to see" in text

    def test_decided_reviews_are_listed_by_state(self, page, queue):
        queue.reviews.decide(queue.text, Decision(kind="reject", by="ann", reason="no"))
        assert queue.text not in ask(page)[2]
        assert queue.text in ask(page, "?status=rejected")[2]
        assert queue.text in ask(page, "?status=all")[2]


class TestReview:
    def test_text_is_html_escaped(self, page, queue):
        text = ask(page, f"review/{queue.text}")[2]
        assert "&lt;b&gt;Next update&lt;/b&gt;" in text
        assert "<b>" not in text
        assert "U+202E" in text

    def test_action_is_shown_with_changes_of_the_gateway(self, page, queue):
        text = ask(page, f"review/{queue.action}")[2]
        assert "<del>external_email</del><ins>status_page</ins>" in text
        assert "policy.mass_broadcast" in text

    def test_facts_are_listed(self, page, queue):
        text = ask(page, f"review/{queue.text}")[2]
        assert "<dt>incident.affected_checkout_share</dt><dd>0.27</dd>" in text

    def test_unknown_review_is_404(self, page):
        status, _, text = ask(page, "review/ffff")
        assert status == 404
        assert "There is no such review" in text


class TestDecisions:
    def test_approve_form_approves_review(self, page, queue):
        status, headers, _ = decide(page, queue.text, kind="approve", by=" ann ")
        assert status == 303
        assert headers["Location"].endswith(f"/review/{queue.text}")
        decided = queue.reviews.get(queue.text)
        assert (decided.status, decided.decision.by) == ("approved", "ann")
        assert f"redpen resume {queue.text[:8]}" in ask(page, f"review/{queue.text}")[2]

    def test_edit_form_stores_text_with_normalized_line_ends(self, page, queue):
        own = DRAFT_OF_A_PERSON
        assert decide(page, queue.text, kind="edit", by="ann", content=own.replace("\n", "\r\n"))[0] == 303
        assert queue.reviews.get(queue.text).decision.text == own

    def test_reject_form_stores_reason(self, page, queue):
        assert decide(page, queue.action, kind="reject", by="bo", reason="too many people")[0] == 303
        assert queue.reviews.get(queue.action).decision.reason == "too many people"

    def test_refused_edit_is_shown_with_findings(self, page, queue):
        own = DRAFT_OF_A_PERSON + " 4,711 shops are affected."
        status, _, text = decide(page, queue.text, kind="edit", by="ann", content=own)
        assert status == 422
        assert "no_new_facts" in text
        assert re.search(r"<mark[^>]*>[^<]*4,711", text)
        assert f"{own}</textarea>" in text
        assert queue.reviews.get(queue.text).status == "pending"

    def test_override_accepts_finding_and_is_stored(self, page, queue):
        own = DRAFT_OF_A_PERSON + " 4,711 shops are affected."
        form = {"kind": "edit", "by": "ann", "content": own, "override": "no_new_facts"}
        assert "the reason is missing" in decide(page, queue.text, **form)[2]
        assert decide(page, queue.text, **form, override_reason="counted by hand")[0] == 303
        (override,) = queue.reviews.get(queue.text).decision.overrides
        assert (override.code, override.reason) == ("no_new_facts", "counted by hand")

    def test_edited_action_is_checked_by_the_gateway(self, page, queue):
        shown = queue.reviews.get(queue.action).shown
        own = {**shown, "args": {**shown["args"], "channel": "carrier_pigeon"}}
        status, _, _ = decide(page, queue.action, kind="edit", by="ann", content=json.dumps(own))
        assert status == 422
        assert queue.reviews.get(queue.action).status == "pending"

    def test_rule_that_refuses_action_can_be_overridden(self, page, queue):
        shown = queue.reviews.get(queue.action).shown
        own = {**shown, "args": {**shown["args"], "audience_segment": "all_customers"}}
        form = {"kind": "edit", "by": "ann", "content": json.dumps(own)}
        status, _, text = decide(page, queue.action, **form)
        assert status == 422
        assert 'name=override value="acme.everybody"' in text
        form |= {"override": "acme.everybody", "override_reason": "all of them are hit"}
        assert decide(page, queue.action, **form)[0] == 303
        assert queue.reviews.get(queue.action).decision.action == own

    def test_second_decision_is_409_and_names_the_first_reviewer(self, page, queue):
        queue.reviews.decide(queue.text, Decision(kind="reject", by="bo", reason="no"))
        status, _, text = decide(page, queue.text, kind="approve", by="ann")
        assert status == 409
        assert "bo" in text
        assert queue.reviews.get(queue.text).status == "rejected"

    def test_repeated_decision_is_accepted(self, page, queue):
        for _ in range(2):
            assert decide(page, queue.text, kind="approve", by="ann")[0] == 303

    @pytest.mark.parametrize(
        ("form", "message"),
        [
            ({"kind": "approve", "by": "  "}, "your name is missing"),
            ({"kind": "reject", "by": "ann"}, "the reason is missing"),
            ({"kind": "destroy", "by": "ann"}, "Approve, edit or reject"),
            ({"kind": "approve", "by": "a" * 201}, "by: "),
        ],
    )
    def test_incomplete_form_is_422_and_decides_nothing(self, page, queue, form, message):
        status, _, text = decide(page, queue.text, **form)
        assert status == 422
        assert message in text
        assert queue.reviews.get(queue.text).status == "pending"

    @pytest.mark.parametrize("content", ["{", "[1]", '{"a": 1, "a": 2}'])
    def test_action_that_is_no_json_object_is_422(self, page, queue, content):
        status, _, text = decide(page, queue.action, kind="edit", by="ann", content=content)
        assert (status, "Your version" in text) == (422, True)

    @pytest.mark.parametrize("body", [b"by=%ff&kind=approve", b"x" * 300_001, b"&".join([b"a=1"] * 101)])
    def test_unreadable_form_is_400_and_decides_nothing(self, page, queue, body):
        assert ask(page, f"review/{queue.text}", body=body)[0] == 400
        assert queue.reviews.get(queue.text).status == "pending"


def test_taken_port_exits_2(page, queue, tmp_path):
    port = urlsplit(page).port
    done = subprocess.run(  # noqa: S603 - our own command
        [
            sys.executable,
            "-m",
            "redpen_evals",
            "review",
            "serve",
            "--port",
            str(port),
            "--queue",
            queue.address,
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
