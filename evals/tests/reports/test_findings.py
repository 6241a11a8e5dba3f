"""Findings of guards, marked in the texts they refer to."""

import pytest

from redpen_evals.reports.marking import MAX_TEXT_CHARS, view_texts


def marks(view, state=None):
    return [
        (piece.text, piece.sorts) for piece in view.pieces if piece.sorts and state in {None, piece.state}
    ]


def finding(text, start, **more):
    return {
        "code": "no_new_facts",
        "family": "number",
        "span": [start, start + len(text)],
        "text": text,
        **more,
    }


def test_ungrounded_claims_are_marked_in_draft(samples):
    result = samples.revised()
    view = view_texts(result.detail, result.answer)
    assert view.caption == "Draft → answer"
    assert [item.sort for item in view.findings] == ["ungrounded"] * len(view.findings)
    assert {item.code for item in view.findings} >= {"restricted_claims"}
    assert all(item.placed for item in view.findings)
    assert marks(view, "removed") == [
        ("will definitely", ("ungrounded",)),
        ("3 hours", ("ungrounded",)),
    ]


def test_violation_of_refused_revision_is_listed_but_not_placed(samples):
    result = samples.refused()
    view = view_texts(result.detail, result.answer)
    assert view.caption == "Draft, not published"
    violation = next(item for item in view.findings if item.sort == "violation")
    assert (violation.text, violation.placed) == ("12 months", False)
    assert "no_new_facts" in violation.code
    assert "12 months" not in "".join(piece.text for piece in view.pieces)


def test_concerns_are_marked_in_answer():
    detail = {"history": [{"draft": "It is over."}], "concerns": [finding("All", 0)]}
    view = view_texts(detail, "All is over.")
    assert marks(view) == [("All", ("concern",))]


def test_answer_without_draft_is_shown_without_diff():
    view = view_texts({}, "A brief.")
    assert (view.caption, [piece.text for piece in view.pieces]) == ("Answer", ["A brief."])


def test_no_texts_yield_no_pieces():
    assert view_texts({}, None).pieces == ()


@pytest.mark.parametrize(
    "span", [[0, 4], [3, 1], [-4, 2], [0, 99], "0-2", None, [0], ["0", 2], [0.0, 2.0], [True, 2]]
)
def test_span_not_matching_finding_text_is_not_placed(span):
    detail = {"history": [{"draft": "It is over."}], "ungrounded": [{**finding("It", 0), "span": span}]}
    view = view_texts(detail, None)
    assert marks(view) == []
    assert not view.findings[0].placed


@pytest.mark.parametrize("value", [None, 5, "text", {"a": 1}, [1, None, "x"]])
@pytest.mark.parametrize("key", ["history", "violations", "ungrounded", "concerns"])
def test_malformed_detail_yields_empty_view(key, value):
    view = view_texts({key: value}, None)
    assert (view.pieces, view.findings) == ((), ())


def test_long_text_and_finding_list_are_truncated_with_counts():
    found = [finding("word", 0) for _ in range(150)]
    view = view_texts({"history": [{"draft": "word " * 5000}], "ungrounded": found}, None)
    *pieces, cut = view.pieces
    assert sum(len(piece.text) for piece in pieces) == MAX_TEXT_CHARS
    assert (cut.state, cut.text, len(view.findings), view.more) == ("cut", "5,000", 100, 50)
    assert len(view.pieces[0].ending) == 100


def test_violations_are_marked_in_refused_revision():
    found = [
        {
            "code": "no_new_facts",
            "family": "share",
            "span": [6, 9],
            "text": "73%",
            "reading": "",
            "reason": "",
        }
    ]
    detail = {"violations": found, "history": [{"draft": "About 27% fail."}]}
    view = view_texts(detail, None, "About 73% fail.")
    assert view.caption == "Draft → revision, not published"
    assert view.findings[0].placed
    assert not view_texts(detail, None).findings[0].placed
