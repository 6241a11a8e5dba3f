"""Incident contexts and requests: their models and examples.

Source: the examples describe an invented payments incident.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from redpen.types import LONGEST_LABEL, LONGEST_STANDING, MOST_LABELS, MOST_STANDING, JsonObject

SEVERITIES: Final = ("P0", "P1", "P2", "P3", "P4", "P5")
"""The default scale of severities."""

Labels = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL, pattern=r"\S")], ...],
    # Lists from files are accepted, even if types are strict.
    Field(min_length=1, max_length=MOST_LABELS, strict=False),
]
Entries = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=LONGEST_STANDING, pattern=r"\S")], ...],
    Field(max_length=MOST_STANDING, strict=False),
]


class _Open(BaseModel):
    # Other kinds of incident have other facts, and the guards read facts from all fields.
    model_config = ConfigDict(frozen=True, extra="allow")


class Incident(_Open):
    """The facts of an incident; any further key is a fact too.

    The suffix of a key gives the kind of its number: ``*_pct`` a percentage, ``*_rate``, ``*_share`` and
    ``*_ratio`` a share of one, ``*_seconds``, ``*_minutes``, ``*_hours`` and ``*_days`` a duration, ``*_usd``
    and ``*_eur`` money, any other a count.
    """

    incident_id: str
    severity: str
    status: str


class PolicyHints(_Open):
    """Requirements of a context for texts.

    Attributes:
        avoid_absolute_guarantees: whether every restricted claim is forbidden, even one of the original.
        max_length_increase_pct: tightens the length budget of a revision, in percent.
        required_sections: sections that an update has to cover.
    """

    avoid_absolute_guarantees: bool = False
    max_length_increase_pct: StrictInt | StrictFloat | None = None
    required_sections: tuple[str, ...] = ()


class Standing(BaseModel):
    """Fixed texts of a project, in which nothing is ever a finding."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    greetings: Entries = Field(
        default=(), description="Start of a line, such as `Hi {name}`; {name} stands for one or two names."
    )
    sign_offs: Entries = Field(default=(), description="Like greetings; one may have several lines.")
    headings: Entries = Field(
        default=(), description="On a line of its own, or before a colon, such as `Timeline`."
    )
    links: Entries = Field(default=(), description="Addresses; an address below one has to be listed too.")
    product_names: Entries = Field(default=(), description="Product names; case counts.")


class IncidentContext(_Open):
    """The facts that an agent knows about an incident; any further key is a fact too.

    Attributes:
        report_date: ISO date.
        region: region of the incident.
        incident: facts of the incident.
        policy_hints: requirements for the text.
        approved_actions: actions of the team, in prose.
        severities: labels of the project's scale, if it is not P0 to P5.
        standing: fixed texts, in which nothing is ever a finding.
    """

    report_date: str
    region: str
    incident: Incident
    policy_hints: PolicyHints = PolicyHints()
    approved_actions: tuple[str, ...] = ()
    severities: Labels = SEVERITIES
    standing: Standing = Standing()

    @model_validator(mode="after")
    def _is_rated(self) -> IncidentContext:
        if problem := off_scale(self.incident.severity, self.severities):
            error = PydanticCustomError("severity", "{problem}", {"problem": problem})
            line = InitErrorDetails(type=error, loc=("incident", "severity"), input=self.incident.severity)
            raise ValidationError.from_exception_data(type(self).__name__, [line])
        return self


def off_scale(severity: str, scale: tuple[str, ...]) -> str:
    """Return the problem of a severity that is not on its scale; empty for one that is."""
    if severity in scale:
        return ""
    own = "" if scale != SEVERITIES else "; define a scale of your own under `severities`"
    return f"{severity[:60]!r} is not one of {', '.join(scale)}{own}"


def build_incident_context(
    *,
    report_date: str | None = None,
    region: str = "US",
    example: Literal["self-critique", "reflection"] = "self-critique",
) -> dict[str, Any]:
    """Return the example context of a text agent: a degraded payments service.

    Args:
        report_date: ISO date; by default the date of the example.
        region: region of the incident.
        example: agent of the example; the two differ in date, incident id, length hint and one action.
    """
    date = "2026-03-06" if example == "self-critique" else "2026-03-05"
    hints: dict[str, Any] = {"avoid_absolute_guarantees": True}
    publish = "publish customer update via status page"
    if example == "self-critique":
        hints["max_length_increase_pct"] = 20
        publish += " every 15 minutes"
    hints["required_sections"] = ["current_status", "customer_impact", "next_actions"]
    return {
        "report_date": report_date or date,
        "region": region,
        "incident": {
            "incident_id": f"inc_payments_{date.replace('-', '')}",
            "severity": "P1",
            "status": "degraded",
            "affected_checkout_pct": 27,
            "failed_payment_rate": 0.034,
            "chargeback_alerts": 5,
            "eta_minutes": 45,
        },
        "policy_hints": hints,
        "approved_actions": [
            "monitor payment failures every 15 minutes",
            publish,
            "prepare support macro with workaround guidance",
        ],
    }


def build_request(*, report_date: str = "2026-03-06", region: str = "US") -> JsonObject:
    """Return the example request of the guarded-policy agent.

    Args:
        report_date: ISO date.
        region: region of the incident.
    """
    return {
        "request": {
            "report_date": report_date,
            "region": region,
            "incident_id": "inc_payments_20260306",
        },
        "policy_hints": {
            "status_update_template": "incident_p1_v2",
            "max_recipients_per_send": 50_000,
        },
    }
