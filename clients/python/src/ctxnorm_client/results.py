"""Documents that are sent, and what the server answers.

Offsets count Unicode code points, as Python's strings do, and ends are exclusive.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from ctxnorm_client.errors import CtxnormError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Fragment:
    """A part of a discontinuous mention."""

    start: int
    end: int


@dataclass(frozen=True)
class Mention:
    """A mention to link."""

    start: int
    end: int
    text: str | None = None  # compared with the text of the document if it is given
    type: str | None = None
    fragments: tuple[Fragment, ...] | None = None  # of a discontinuous mention, in order: its text is theirs


@dataclass(frozen=True)
class Document:
    """A text, and its mentions, which may be marked in it instead: ``[ENT] … [/ENT]``."""

    text: str
    mentions: tuple[Mention, ...] = ()
    id: str | None = None  # its number in the request by default


@dataclass(frozen=True)
class Evidence:
    """An exemplar that supports a candidate: a sentence with the offsets of the name, or a bare name."""

    text: str
    start: int
    end: int
    similarity: float  # the cosine with the mention
    pmid: str | None = None
    source: str | None = None  # the pattern by which the corpus defines the name, or who corrected it and when


@dataclass(frozen=True)
class Candidate:
    """A concept that a mention may mean."""

    id: str
    name: str  # the preferred name
    matched_name: str  # the name that is most like the mention
    score: float
    probability: float | None = None  # None from methods that return none
    votes: int = 0
    evidence: tuple[Evidence, ...] = ()
    xrefs: tuple[str, ...] = ()  # identifiers in other vocabularies, if they were asked for


@dataclass(frozen=True)
class Broader:
    """The concept above what a NIL mention names."""

    id: str
    name: str
    probability: float  # that it is a parent of what the mention names, if the dictionary lacks that


@dataclass(frozen=True)
class SubMention:
    """One of the mentions that a composite mention joins."""

    text: str
    candidates: tuple[Candidate, ...]
    broader: Broader | None = None  # of NIL
    suggested: tuple[Candidate, ...] = ()  # of NIL, the candidates that are not sure enough


@dataclass(frozen=True)
class Reading:
    """What a short form may stand for."""

    text: str
    probability: float


ASSERTIONS = ("negated", "uncertain", "historical", "hypothetical", "other_person")


@dataclass(frozen=True)
class LinkedMention:
    """A mention with its candidates, the best first. A NIL mention has none."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    text: str = ""
    fragments: tuple[Fragment, ...] = ()  # of a discontinuous mention, whose text is theirs
    type: str | None = None
    resolved_text: str | None = None  # as it was read, abbreviations expanded, if that is another text
    readings: tuple[Reading, ...] = ()  # of a short form that the document does not define
    broader: Broader | None = None  # of a NIL mention, the concept that it is most probably a kind of
    suggested: tuple[Candidate, ...] = ()  # of a NIL mention, the candidates that are not sure enough
    sub_mentions: tuple[SubMention, ...] = ()  # of a composite mention
    negated: bool = False
    uncertain: bool = False
    historical: bool = False
    hypothetical: bool = False
    other_person: bool = False
    corrected: str | None = None  # who said what it names, and when, if the memory has a correction of it
    source: str | None = None  # with recognize: "dictionary" for a name, "recognized" for what is none
    recognition_score: float | None = None  # the probability that exactly this span is a mention, of a recognized one
    error: str | None = None  # why a mention of a stream could not be linked

    @property
    def best(self) -> tuple[Candidate | None, ...]:
        """The best candidate of the mention, or of each sub-mention; None stands for NIL."""
        lists = [sub.candidates for sub in self.sub_mentions] or [self.candidates]
        return tuple(candidates[0] if candidates else None for candidates in lists)

    @property
    def concept_id(self) -> str | None:
        """The concept, or None for NIL. Those of a composite mention are joined: ``D001943|D010051``."""
        return self._join([c.id if c else None for c in self.best])

    @property
    def concept_name(self) -> str | None:
        """The preferred name of the concept, or None for NIL."""
        return self._join([c.name if c else None for c in self.best])

    @property
    def matched_name(self) -> str | None:
        """The name of the concept that is most like the mention, or None for NIL."""
        return self._join([c.matched_name if c else None for c in self.best])

    @property
    def score(self) -> float | None:
        """The score of the concept, the smallest of those of a composite mention; None for NIL."""
        return min((c.score for c in self.best if c), default=None)

    @property
    def probability(self) -> float | None:
        """The probability of the concept, the smallest of those of a composite mention.

        None for NIL, and from methods that return none.
        """
        return min((c.probability for c in self.best if c and c.probability is not None), default=None)

    @staticmethod
    def _join(parts: list[str | None]) -> str | None:
        return "|".join(part or "-" for part in parts) if any(parts) else None


@dataclass(frozen=True)
class LinkedDocument:
    """A document whose mentions are linked."""

    id: str
    text: str  # without marks
    mentions: tuple[LinkedMention, ...]
    json: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The answer as it came, with all that the document said besides."""

    def to_frame(self, *, top: int = 1) -> pd.DataFrame:
        """Returns a pandas frame of the mentions: see ``mentions_frame``."""
        from ctxnorm_client.frames import mentions_frame

        return mentions_frame(self.mentions, top=top)

    def _repr_html_(self) -> str:
        """Shows the text in a notebook: each mention in the color of its certainty, with its concept."""
        from ctxnorm_client.show import html_of

        return html_of(self)


@dataclass(frozen=True)
class ConceptName:
    """A broader or narrower concept."""

    id: str
    name: str  # the preferred name


@dataclass(frozen=True)
class FoundConcept:
    """A concept that a search found."""

    id: str
    name: str  # the preferred name
    matched_name: str  # the name that the query found
    match: str  # "id", "exact", "prefix" or "similar"
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class CorpusSynonym:
    """A name that the corpus gives a concept."""

    name: str
    source: str  # the pattern by which the corpus defines it


@dataclass(frozen=True)
class Exemplar:
    """A sentence of the corpus that names a concept."""

    text: str
    start: int
    end: int
    pmid: str | None = None


@dataclass(frozen=True)
class Concept:
    """What the model knows of a concept."""

    id: str
    name: str  # the preferred name
    names: tuple[str, ...]  # those that mentions are linked by
    corpus_synonyms: tuple[CorpusSynonym, ...]
    parents: tuple[ConceptName, ...]
    children: tuple[ConceptName, ...]
    exemplars: tuple[Exemplar, ...]
    exemplar_count: int  # of all exemplars
    types: tuple[str, ...] = ()
    alt_ids: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()  # identifiers in other vocabularies, as the dictionary states them


@dataclass(frozen=True)
class Health:
    """What the server says of itself."""

    status: str
    concepts: int
    encoder: bool  # whether it links by an encoder, too, and not by strings alone
    recognizer: bool  # whether the model finds mentions that are no names
    memory: bool  # whether it stores corrections
    version: str
    curation: bool = False  # whether it keeps documents to decide on


@dataclass(frozen=True)
class MemoryEntry:
    """What a curator said of a model. Its ``kind`` says which of the members it has."""

    number: int
    at: datetime
    kind: str  # "name", "context", "nil", "no_mention", "concept", or "undo"
    by: str | None = None  # who said it
    concept: str | None = None  # that has the name, or that the context names
    text: str | None = None  # of a context or a NIL example, with the offsets of its mention
    start: int = 0
    end: int = 0
    document: str | None = None  # the identifier of the document that the text is of
    only: bool = False  # whether it applies to this mention alone, not to the same words elsewhere
    id: str | None = None  # of a new concept
    name: str | None = None  # that is added, or the preferred name of a new concept
    synonyms: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    undoes: int | None = None
    replaces: tuple[int, ...] = ()  # the entries that it undid because they disagreed with it
    in_force: bool = True  # whether it is neither undone nor one that undoes


@dataclass(frozen=True)
class ImportedEntries:
    """How many entries an import added, and how many were there already."""

    added: int
    skipped: int


T = TypeVar("T")


def decode(kind: type[T], value: object, place: str = "") -> T:
    """Returns a dataclass of a JSON value. Members that it does not have are left out."""
    if not isinstance(value, Mapping):
        raise CtxnormError(f"the server's answer has {value!r} at {place or '/'}, want an object")
    hints = _hints(kind)
    members: dict[str, Any] = {}
    for f in dataclasses.fields(kind):  # type: ignore[arg-type]
        if f.name in value:
            members[f.name] = _decode(hints[f.name], value[f.name], f"{place}/{f.name}")
        elif f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
            raise CtxnormError(f"the server's answer has no {place}/{f.name}")
    return kind(**members)


_known_hints: dict[type, dict[str, Any]] = {}


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _known_hints:
        _known_hints[kind] = typing.get_type_hints(kind)
    return _known_hints[kind]


def _decode(kind: Any, value: object, place: str) -> Any:
    if typing.get_origin(kind) in (types.UnionType, typing.Union):  # X | None
        kind = next(arg for arg in typing.get_args(kind) if arg is not type(None))
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise CtxnormError(f"the server's answer has {value!r} at {place}, want a list")
        item = typing.get_args(kind)[0]
        return tuple(_decode(item, v, f"{place}/{i}") for i, v in enumerate(value))
    if dataclasses.is_dataclass(kind):
        return decode(typing.cast(type, kind), value, place)
    if kind is datetime and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            raise CtxnormError(f"the server's answer has {value!r} at {place}, want a time") from None
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or kind is int and isinstance(value, bool):
        raise CtxnormError(f"the server's answer has {value!r} at {place}, want {kind.__name__}")
    return value
