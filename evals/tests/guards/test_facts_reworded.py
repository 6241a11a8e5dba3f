"""Facts in other words: a year for twelve months, dashes in a phone number, what nobody can promise."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "Your ticket is valid for 12 months. Some nightly snapshots did not start; several docks work by hand. "
    "186 letters gave the wrong time. The case is S3. Ring +353 1 555 0199. Pressure is low. It began with "
    "the update on 3 April, and again on 9 April. Jobs wait 12 to 18 minutes. Instant transfers sent between "
    "11:05 and 11:50 CET were rejected. Card transfers go through. 64 of 310 students lost time."
)
CONTEXT = {"severity": "S3", "queue_length": 64_000, "rejected_transfers": 2_760}


def _codes(revised: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=revised, context=CONTEXT)
    return [found.code for found in report.violations if found.code != "restricted_claims"]


@pytest.mark.parametrize(
    "revised",
    [
        "Your ticket is valid for one year.",
        "Ring +353-1-555-0199.",
        "Nobody can guarantee that the snapshots start.",
        "Nobody on the dock has an explanation.",
        "A wrong time is nobody's idea of fun.",
        "No restore comes with a guarantee.",
        "We cannot name a day.",
        "One hundred and eighty-six letters gave the wrong time.",
        "We class the low pressure as S3.",
        "It began with 3 April's update.",
        "We go through the records of 3 and 9 April.",
        "Transfers sent between 11.05 and 11.50 CET were rejected.",
        "Plan for a 12- to 18-minute delay.",
        "It began on 03.04., and again on 09.04.",
        "64k events wait in the queue.",
        "2,760 instant transfers were rejected.",
        "Jobs are slow. #SlowJobs",
        "64 out of 310 students lost time.",
        "Sign in with Recovery Codes as before.",
    ],
)
def test_reworded_fact_is_known(revised: str) -> None:
    assert _codes(revised) == []


@pytest.mark.parametrize(
    ("revised", "code"),
    [
        ("Your ticket is valid for two years.", "no_new_facts"),
        ("Ring +353-1-555-0198.", "no_new_facts"),
        ("Nobody can log in.", "no_new_facts"),
        ("Not a single nightly snapshot started.", "no_new_facts"),
        ("Hardly any dock is spared.", "no_new_facts"),
        ("No customer anywhere is exempt.", "no_new_facts"),
        ("It takes a week.", "no_new_facts"),
        ("We go through the records of 3 and 8 April.", "no_new_facts"),
        ("Transfers sent between 11.05 and 11.55 CET were rejected.", "no_new_facts"),
        ("Plan for a 12- to 20-minute delay.", "no_new_facts"),
        ("64 out of 300 students lost time.", "no_new_facts"),
        ("One out of 310 students lost time.", "no_new_facts"),
        ("It began on 04.04., and again on 09.04.", "no_new_facts"),
        ("64k customers are in trouble.", "no_new_facts"),
        ("2,760 card customers wait.", "no_new_facts"),
        ("Jobs are slow. Ask in #slow-jobs.", "no_new_facts"),
        ("We are in touch with Beacon about it.", "no_new_facts"),
        ("We class the incident as low.", "new_severity_label"),
        ("The case is now classed S1.", "new_severity_label"),
    ],
)
def test_fact_with_another_value_is_new(revised: str, code: str) -> None:
    assert code in _codes(revised)
