"""Policy packs, merged with the packs that they extend, and their selection by tenant and role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from redpen.errors import ConfigurationError
from redpen.policy.limits import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy
from redpen.policy.model import PolicyModel, digest
from redpen.policy.pack_file import DEFAULT, Match
from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import short_path

KEYS: Final = ("tenant", "role")
"""Keys of a context by which packs are matched."""

BUILT_IN: Final = "built in"
"""Place of a term that is not set in a file."""


def phrase_term(code: str, phrase: str) -> str:
    """Return the key of a phrase in ``PolicyPack.places``."""
    return f"{code}: {phrase}"


AnyPolicy = TypeVar("AnyPolicy", bound=PolicyModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """File and line of a term of a pack.

    Attributes:
        path: path of the file.
        line: line number, from 1.
    """

    path: Path
    line: int

    def __str__(self) -> str:
        """Return ``file:line``."""
        return f"{short_path(self.path)}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPack:
    """A pack merged with the packs that it extends.

    Attributes:
        name: name of the pack.
        chain: names of the packs that it extends, from the built-in one, followed by its own name.
        match: conditions under which it applies without being named.
        self_critique: policy of the self-critique agent.
        reflection: policy of the reflection agent.
        guarded: policy of the guarded-policy agent.
        gate: ``module:function`` of a custom gate; None if there is none.
        loosened: codes and fields of the terms that this pack, or a pack that it extends, declares to loosen.
        places: file and line of each non-default term, by code or field.
    """

    name: str = DEFAULT
    chain: tuple[str, ...] = (DEFAULT,)
    match: Match = field(default_factory=Match)
    self_critique: SelfCritiquePolicy = field(default_factory=SelfCritiquePolicy)
    reflection: ReflectionPolicy = field(default_factory=ReflectionPolicy)
    guarded: GuardedPolicy = field(default_factory=GuardedPolicy)
    gate: str | None = None
    loosened: tuple[str, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def policies(self) -> tuple[SelfCritiquePolicy, ReflectionPolicy, GuardedPolicy]:
        """The policies of the three agents."""
        return self.self_critique, self.reflection, self.guarded

    def policy_of(self, kind: type[AnyPolicy]) -> AnyPolicy:
        """Return the policy of the given class; raises TypeError if there is none."""
        for policy in self.policies:
            if isinstance(policy, kind):
                return policy
        raise TypeError(f"no agent has a {kind.__name__}")

    def place_of(self, term: str) -> str:
        """Return ``file:line`` of a term, given by its code or field, or ``BUILT_IN``."""
        place = self.places.get(term)
        return BUILT_IN if place is None else str(place)

    @property
    def hash(self) -> str:
        """Digest of the merged terms, independent of the name of the pack."""
        return digest({"policies": [policy.model_dump() for policy in self.policies], "gate": self.gate})


DEFAULT_PACK: Final = PolicyPack()


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPacks:
    """The packs of a project, including the built-in one.

    Attributes:
        packs: the packs by name.
        path: the file or folder from which they were loaded; None if there is none.
    """

    packs: Mapping[str, PolicyPack] = field(default_factory=lambda: {DEFAULT: DEFAULT_PACK})
    path: Path | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the packs, sorted."""
        return tuple(sorted(self.packs))

    def named(self, name: str) -> PolicyPack:
        """Return a pack by its name; raises ConfigurationError if there is none."""
        if name in self.packs:
            return self.packs[name]
        place = "" if self.path is None else f" in {short_path(self.path)}"
        raise ConfigurationError(
            f"there is no policy pack {name!r}{place}{suggestion(name, self.packs)}; "
            f"the packs are {', '.join(self.names)}"
        )

    def matching(self, situation: Mapping[str, str]) -> PolicyPack:
        """Return the most specific pack that matches a situation.

        Args:
            situation: ``tenant`` and ``role``, if known.

        Returns:
            The pack; the built-in one if none matches.
        """
        known = dict(situation)
        matching = [pack for pack in self.packs.values() if pack.match.matches(known)]
        return max(matching, key=lambda pack: len(pack.match.keys), default=DEFAULT_PACK)

    @property
    def hash(self) -> str:
        """Digest of the match conditions of all packs."""
        return digest({name: pack.match.model_dump() for name, pack in self.packs.items()})
