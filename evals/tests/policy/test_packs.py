"""Policy packs: loading, inheritance, undeclared loosening, and errors with file and line."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen.policy import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy
from redpen.policy.pack_file import Limits
from redpen.policy.pack_loading import load_packs
from redpen.policy.packs import DEFAULT_PACK
from redpen.yaml_files.problem import FileError


@pytest.fixture
def refused(packs):
    """Return a function that loads invalid packs and returns the lines of the error."""

    def lines(*texts):
        with pytest.raises(FileError) as caught:
            packs(*texts)
        return str(caught.value).splitlines()

    return lines


def test_built_in_pack_equals_default_policies():
    assert DEFAULT_PACK.policies == (SelfCritiquePolicy(), ReflectionPolicy(), GuardedPolicy())


def test_pack_changes_only_its_own_terms(packs, bank_text):
    bank = packs(bank_text).named("bank")
    assert bank.guarded.max_recipients_per_send == 20_000
    assert bank.guarded.executable_tools == {"fetch_incident_snapshot"}
    assert bank.guarded.allowed_tools == GuardedPolicy().allowed_tools
    assert [rule.code for rule in bank.guarded.rules] == ["policy.long_eta"]
    for policy in (bank.self_critique, bank.reflection):
        assert policy.draft_grounding == "enforce"
        assert (policy.concerns.of("new_statement"), policy.concerns.of("x")) == ("escalate", "record")
        assert (policy.severity_budget.high, policy.severity_budget.low) == ("escalate", "record")
        assert policy.patch.max_changed_lines == 3
    assert bank.chain == ("default", "bank")


def test_stricter_limit_applies_per_agent(packs, bank_text):
    bank = packs(bank_text).named("bank")
    assert (bank.self_critique.max_answer_chars, bank.reflection.max_answer_chars) == (950, 900)


def test_every_numeric_policy_field_has_a_limit():
    numbers = {
        name
        for policy in DEFAULT_PACK.policies
        for name in type(policy).model_fields
        if type(getattr(policy, name)) in {int, float}
    }
    assert set(Limits.model_fields) == numbers


def test_each_term_has_its_file_and_line(packs, bank_text):
    shop = packs(bank_text, "pack: shop\nextends: bank\nauto_revision: false\n").named("shop")
    assert shop.place_of("limits.max_recipients_per_send") == "packs/a.yaml:9"
    assert shop.place_of("policy.long_eta") == "packs/a.yaml:12"
    assert shop.place_of("auto_revision") == "packs/b.yaml:3"
    assert shop.place_of("limits.max_seconds") == "built in"


def test_pack_inherits_from_the_pack_it_extends(packs, bank_text):
    shop = "pack: shop\nextends: bank\nrules:\n  - {code: shop.all, then: deny, reason: closed}\n"
    found = packs(bank_text, shop).named("shop")
    assert [rule.code for rule in found.guarded.rules] == ["policy.long_eta", "shop.all"]
    assert found.self_critique.restricted_phrases[0].code == "legal.compensation"
    assert found.chain == ("default", "bank", "shop")


LOOSENING = {
    "limits.max_recipients_per_send": "limits: {max_recipients_per_send: 30000}",
    "limits.min_patch_similarity": "limits: {min_patch_similarity: 0.1}",
    "concerns.new_statement": "concerns: {new_statement: record}",
    "grounding": "grounding: record",
    "severity_budget.high": "severity_budget: {high: record}",
    "risk.points.policy.long_eta": "risk: {points: {policy.long_eta: 20}}",
    "risk.escalate_at": "risk: {escalate_at: 50}",
    "tools.execute": "tools: {execute: [send_status_update]}",
    "templates.allowed": "templates: {allowed: [incident_p1_v2, own]}",
    "patch.mode": "patch: {mode: text}",
    "patch.max_changed_lines": "patch: {mode: lines, max_changed_lines: 4}",
    "allowed_phrases": "allowed_phrases: [fully managed]",
    "semantic_changes": "semantic_changes: judge",
    "legal.compensation": (
        "restricted_phrases: [{code: legal.compensation, phrases: [x], unless: approved}]"
    ),
    "policy.long_eta": "rules: [{code: policy.long_eta, then: allow, reason: fine}]",
}


@pytest.mark.parametrize("term", LOOSENING)
def test_loosening_pack_is_rejected_unless_declared(packs, refused, term, bank_text):
    child = f"pack: child\nextends: bank\n{LOOSENING[term]}\n"
    (fault,) = refused(bank_text, child)
    assert fault.startswith("packs/b.yaml:3: ")
    assert f"declare `loosens: [{term}]`" in fault
    assert "of the pack bank (packs/a.yaml:" in fault or "(built in)" in fault
    found = packs(bank_text, f"{child}loosens: [{term}]\n").named("child")
    assert found.loosened == (term,)
    assert found.hash != packs(bank_text).named("bank").hash


def test_loosening_error_names_both_lines(refused, bank_text):
    faults = refused(bank_text, "pack: child\nextends: bank\n\nlimits:\n  max_recipients_per_send: 30000\n")
    message = "30000 loosens 20000 of the pack bank (packs/a.yaml:9): tighten it, or declare"
    term = "limits.max_recipients_per_send"
    assert faults == [f"packs/b.yaml:5: {term}: {message} `loosens: [{term}]`"]


def test_loosening_error_names_line_of_short_form(refused):
    (fault,) = refused(
        "pack: a\nconcerns: block\n", "pack: b\nextends: a\nconcerns: {new_statement: record}\n"
    )
    assert "record loosens block of the pack a (packs/a.yaml:2)" in fault


def test_rule_reason_defaults_to_its_code(packs):
    (rule,) = packs("pack: a\nrules: [{code: a.b, then: deny}]\n").named("a").guarded.rules
    assert rule.reason == "a.b"


def test_loosened_terms_are_inherited(packs):
    loose = "pack: loose\nallowed_phrases: [fully managed]\nloosens: [allowed_phrases]\n"
    child = packs(loose, "pack: child\nextends: loose\n").named("child")
    assert child.loosened == ("allowed_phrases",)


def test_child_rule_may_be_stricter(packs, bank_text):
    same = "when: {snapshot.eta_minutes: {gt: 120}}, then: deny, reason: too long"
    found = packs(bank_text, f"pack: child\nextends: bank\nrules: [{{code: policy.long_eta, {same}}}]\n")
    assert [rule.then for rule in found.named("child").guarded.rules] == ["deny"]


FAULTS = {
    "an unknown key": (
        "pack: a\nrestricted_phrase: []\n",
        "2: restricted_phrase: unknown key (did you mean",
    ),
    "an unknown key of a rule": (
        "pack: a\nrules:\n  - {code: a.b, wen: {}, then: deny, reason: x}\n",
        "3: rules[0].wen: unknown key (did you mean `when`?)",
    ),
    "an unknown operator": (
        "pack: a\nrules:\n  - {code: a.b, when: {args.x: {gtt: 1}}, then: deny, reason: x}\n",
        "3: rules[0].when.args.x.gtt: unknown key (did you mean `gt`?)",
    ),
    "an unknown parent": (
        "pack: a\nextends: defualt\n",
        "2: extends: there is no pack 'defualt' (did",
    ),
    "the built-in name": ("pack: default\n", "1: pack: 'default' is the built-in pack: choose another name"),
    "itself as a parent": ("pack: a\nextends: a\n", "2: extends: packs extend each other: a → a"),
    "a blank phrase": (
        'pack: a\nrestricted_phrases:\n  - {code: a.b, phrases: ["x", " "]}\n',
        "3: restricted_phrases[0].phrases[1]: contains no word",
    ),
    "a phrase of punctuation": (
        'pack: a\nallowed_phrases: ["?!"]\n',
        "2: allowed_phrases[0]: contains no word",
    ),
    "a tilde alone": (
        'pack: a\nrestricted_phrases: [{code: a.b, phrases: ["~"]}]\n',
        "2: restricted_phrases[0].phrases[0]: contains no word",
    ),
    "a phrase that is too long": (
        f"pack: a\nallowed_phrases: [{'x' * 5000}]\n",
        "2: allowed_phrases[0]: string should have at most",
    ),
    "points for an unknown code": (
        "pack: a\nrisk: {points: {policy.mass_brodcast: 5}}\n",
        "2: risk.points.policy.mass_brodcast: there is no such code (did you mean",
    ),
    "a duplicate code": (
        "pack: a\nrules:\n- {code: a.b, then: deny, reason: x}\n- {code: a.b, then: deny, reason: y}\n",
        "4: rules[1].code: 'a.b' is already defined in line 3",
    ),
    "a built-in code": (
        "pack: a\nrules: [{code: policy.pass, then: deny}]\n",
        "2: rules[0].code: 'policy.pass' is a built-in code of the gate: choose another one",
    ),
    "a default that is not allowed": (
        "pack: a\ntemplates: {allowed: [incident_p2_v1]}\n",
        "2: templates.default: 'incident_p1_v2' is not one of the allowed templates incident_p2_v1",
    ),
    "an entry of loosens without effect": (
        "pack: a\ngrounding: enforce\nloosens: [groundng]\n",
        "3: loosens[0]: 'groundng' is not loosened by this pack (did you mean `grounding`?)",
    ),
    "a duplicate key": ("pack: a\npack: b\n", "2: key 'pack' appears twice"),
    "an alias": ("pack: &a x\nextends: *a\n", "1: anchors and aliases are not read"),
    "invalid YAML": ("pack: [a\n", "2: not valid YAML: "),
    "an empty file": ("", "1: the file is empty"),
    "a gate without a module": ("pack: a\ngate: decide\n", "2: gate: "),
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.values(), ids=list(FAULTS))
def test_invalid_pack_error_has_file_and_line(refused, text, fault):
    (reported,) = refused(text)
    assert reported.startswith(f"packs/a.yaml:{fault}")


def test_circular_extends_is_rejected(refused):
    faults = refused("pack: a\nextends: b\n", "pack: b\nextends: c\n", "pack: c\nextends: a\n")
    assert faults == ["packs/a.yaml:2: extends: packs extend each other: a → b → c → a"]


def test_duplicate_pack_name_is_rejected(refused):
    assert refused("pack: a\n", "pack: a\n") == [
        "packs/b.yaml:1: pack: 'a' is already defined in packs/a.yaml:1"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{tenant: acme}", "{tenant: [x, acme]}"),
        ("{tenant: acme}", "{role: support}"),
        ("{tenant: acme, role: a}", "{tenant: acme, role: [b, a]}"),
    ],
)
def test_ambiguous_match_is_rejected(refused, one, other):
    (fault,) = refused(f"pack: a\nmatch: {one}\n", f"pack: b\nmatch: {other}\n")
    assert fault.startswith("packs/b.yaml:2: match: 'b' and 'a' (packs/a.yaml:2) match the same situation")


def test_most_specific_matching_pack_applies(packs):
    found = packs(
        "pack: all\nmatch: {tenant: acme}\n",
        "pack: few\nmatch: {tenant: acme, role: support}\n",
        "pack: none\n",
    )
    reported = [{"tenant": "acme", "role": "support"}, {"tenant": "acme"}, {"role": "support"}, {}]
    assert [found.matching(item).name for item in reported] == ["few", "all", "default", "default"]


def test_hash_depends_on_effective_policy_not_spelling(packs):
    one = packs("pack: a\nconcerns: block\ngrounding: enforce\n").named("a")
    respelt = packs("# the same policy\ngrounding: enforce\npack: b\nconcerns: {default: block}\n").named("b")
    other = packs("pack: a\nconcerns: escalate\ngrounding: enforce\n").named("a")
    assert one.hash == respelt.hash
    assert other.hash not in {one.hash, DEFAULT_PACK.hash}


def test_unknown_pack_error_has_suggestion(packs, bank_text):
    with pytest.raises(ConfigurationError, match=r"no policy pack 'bnak' in .*\(did you mean `bank`\?\)"):
        packs(bank_text).named("bnak")


def test_missing_policy_file_is_rejected(tmp_path):
    with pytest.raises(ConfigurationError, match="no such policy file"):
        load_packs(tmp_path / "redpen.policy.yaml")


def test_replacing_inherited_gate_is_rejected(packs, refused):
    one, other = "pack: a\ngate: acme.rules:decide\n", "pack: b\nextends: a\ngate: acme.rules:other\n"
    assert packs(one).named("a").gate == "acme.rules:decide"
    (fault,) = refused(one, other)
    assert fault.startswith("packs/b.yaml:3: gate: acme.rules:other loosens acme.rules:decide of the pack a")
