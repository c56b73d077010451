"""The domains of an ontology, of which no more are held than fit a limit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sorites.families.argument_schemes.search.bindings import BindingSearch
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.recent import Recent
from sorites.families.argument_schemes.search.space import Space
from sorites.families.argument_schemes.search.world import World

__all__ = ["LOCAL_BYTES", "SMALLEST_DOMAIN", "Spaces"]

SMALLEST_DOMAIN = 4
"""Members of a class that serves as a domain of discourse, at least."""

LOCAL_BYTES = 256 << 20
"""Memory of the domains within the whole one that are kept at once."""


class Spaces:
    """The domains of an ontology, built when asked for.

    The whole one is kept, and of those within it the last ones, up to ``limit`` bytes.
    """

    def __init__(self, world: World, *, trivial: bool, limit: int = LOCAL_BYTES) -> None:
        self.world = world
        self.trivial = trivial
        self._whole: Space | None = None
        self._local: Recent[int, Space] = Recent(limit)
        self._inner: list[int] | None = None

    def space(self, domain: int | None) -> Space:
        """The whole domain (None) or the members of a class."""
        if domain is None:
            if self._whole is None:
                self._whole = self.world.whole(trivial=self.trivial)
            return self._whole
        space = self._local.get(domain)
        if space is None:
            space = self.world.local(domain, trivial=self.trivial)
            self._local.put(domain, space, space.nbytes)
        return space

    def search(self, domain: int | None, wanted: Conditions) -> BindingSearch:
        """A search in a domain, which it does not keep from being forgotten."""
        return BindingSearch(partial(self.space, domain), wanted)

    def domains(self, *, local: bool) -> Sequence[int | None]:
        """The classes that can be a domain, or the whole one."""
        if not local:
            return [None]
        if self._inner is None:
            self._inner = self.world.inner_domains(at_least=SMALLEST_DOMAIN)
        return self._inner
