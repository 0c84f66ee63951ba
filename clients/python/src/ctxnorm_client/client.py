"""The client of a server."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator
from typing import Any, Self, TypeVar

import httpx

from ctxnorm_client import calls
from ctxnorm_client.calls import AnyDocument, Call, Connection, Request
from ctxnorm_client.errors import Problem
from ctxnorm_client.results import (
    Concept,
    Document,
    FoundConcept,
    Health,
    ImportedEntries,
    LinkedDocument,
    LinkedMention,
    MemoryEntry,
    Mention,
)

T = TypeVar("T")


class Client:
    """Links texts by the server at a URL. It may be used by several threads at once."""

    def __init__(
        self, url: str = "http://127.0.0.1:8080", token: str | None = None, *, timeout: float = 120, retries: int = 3
    ) -> None:
        """Connects at the first request.

        ``timeout`` is how many seconds the server may take to connect, or send nothing. A request that a busy
        server refuses (503 with ``Retry-After``) is sent again up to ``retries`` times, unless it wants the
        client to wait for longer than ``timeout``.
        """
        self._connection = Connection(url.rstrip("/"), token, timeout, retries)
        self._http = httpx.Client(**self._connection.arguments())

    @property
    def url(self) -> str:
        return self._connection.url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def link(
        self,
        documents: Iterable[AnyDocument],
        *,
        top: int = 5,
        explain: bool = False,
        assertion: bool = False,
        xrefs: bool = False,
    ) -> list[LinkedDocument]:
        """Links the mentions of documents, in one request.

        A mention has at most ``top`` candidates, with the exemplars that support them if ``explain`` is
        set. ``assertion`` marks mentions that the text negates, is not certain of, or reports of the past
        or of another person, ``xrefs`` adds the identifiers that the dictionary has of other vocabularies to
        candidates. A fault in one document refuses them all, see ``link_stream``.
        """
        return self._run(calls.together("link", documents, calls.options(top, explain, assertion, xrefs=xrefs)))

    def annotate(
        self,
        texts: Iterable[AnyDocument],
        *,
        top: int = 5,
        explain: bool = False,
        assertion: bool = False,
        recognize: bool = False,
        xrefs: bool = False,
    ) -> list[LinkedDocument]:
        """Finds the names of the dictionary in texts, and links them, in one request.

        ``recognize`` finds mentions that are no names too, as the model has learned from its corpus. The
        ``source`` of a mention says which it is.
        """
        return self._run(calls.together("annotate", texts, calls.options(top, explain, assertion, recognize, xrefs)))

    def link_stream(
        self,
        documents: Iterable[AnyDocument],
        *,
        top: int = 5,
        explain: bool = False,
        assertion: bool = False,
        xrefs: bool = False,
    ) -> Iterator[LinkedDocument | Problem]:
        """Links any number of documents, and yields as many answers in their order.

        Documents are read as answers are taken, 64 ahead. A document that cannot be read is answered by a
        Problem, a mention by its ``error``; the others are linked.
        """
        return self._stream("link", documents, calls.options(top, explain, assertion, xrefs=xrefs))

    def annotate_stream(
        self,
        texts: Iterable[AnyDocument],
        *,
        top: int = 5,
        explain: bool = False,
        assertion: bool = False,
        recognize: bool = False,
        xrefs: bool = False,
    ) -> Iterator[LinkedDocument | Problem]:
        """Finds names in any number of texts, and links them, as ``link_stream`` does."""
        return self._stream("annotate", texts, calls.options(top, explain, assertion, recognize, xrefs))

    def concepts(self, query: str, *, limit: int = 20) -> list[FoundConcept]:
        """Returns concepts by identifier, name, the beginning of a name, or a similar name, in this order."""
        return self._run(calls.concepts(query, limit))

    def concept(self, id: str, *, limit: int = 20, offset: int = 0) -> Concept:
        """Returns what the model knows of a concept, with ``limit`` of its exemplars from ``offset`` on."""
        return self._run(calls.concept(id, limit, offset))

    def correct(
        self,
        document: str | Document | LinkedDocument,
        mention: Mention | LinkedMention,
        concept: str | None,
        *,
        by: str | None = None,
        document_id: str | None = None,
        replace: bool = False,
    ) -> MemoryEntry:
        """Says which concept a mention names, or None if the dictionary has none for it (NIL).

        From then on the server links the mention as this says wherever it has the same wording in the same
        text, in the same sentence, or in the document ``document_id``, and takes it as an example for others.
        The identifier of ``document`` counts for nothing, as it may be its number in a request. A correction
        that disagrees with an earlier one is refused (409), unless ``replace`` is set, which undoes the
        earlier one.
        """
        return self._run(calls.correct(document, mention, concept, by, document_id, replace))

    def add_name(self, concept: str, name: str, *, by: str | None = None) -> MemoryEntry:
        """Gives a concept one more name."""
        return self._run(calls.add({"kind": "name", "concept": concept, "name": name, "by": by}))

    def add_no_mention(self, phrase: str, *, by: str | None = None) -> MemoryEntry:
        """Says that a phrase is no mention in any text, so that it is not found any more."""
        return self._run(calls.add({"kind": "no_mention", "name": phrase, "by": by}))

    def add_concept(
        self, id: str, name: str, *, synonyms: Iterable[str] = (), parents: Iterable[str] = (), by: str | None = None
    ) -> MemoryEntry:
        """Adds a concept that the dictionary lacks."""
        entry = {"kind": "concept", "id": id, "name": name, "by": by}
        names, broader = calls.several_names(synonyms), calls.several_names(parents)
        return self._run(calls.add({**entry, "synonyms": names, "parents": broader}))

    def undo(self, number: int, *, by: str | None = None) -> MemoryEntry:
        """Undoes the entry of a number, and returns the entry that does so. Nothing is deleted."""
        return self._run(calls.undo(number, by))

    def memory(self, *, all: bool = False) -> list[MemoryEntry]:
        """Returns what curators said, the latest first. ``all`` adds entries that are not in force any more."""
        return self._run(calls.memory(all))

    def export_memory(self) -> list[MemoryEntry]:
        """Returns the entries in force, in their order, for ``import_memory`` of a server of another model."""
        return self._run(calls.export_memory())

    def import_memory(self, entries: Iterable[MemoryEntry], *, replace: bool = False) -> ImportedEntries:
        """Adds entries of another memory, all or none. They get new numbers, and keep their times and persons."""
        return self._run(calls.import_memory(entries, replace))

    def health(self) -> Health:
        """Returns what the server says of itself."""
        return self._run(calls.health())

    def _stream(
        self, what: str, documents: Iterable[AnyDocument], options: dict[str, Any]
    ) -> Iterator[LinkedDocument | Problem]:
        for batch in calls.batches(documents):
            yield from self._run(calls.streamed(what, batch, options))

    def _run(self, call: Call[T]) -> T:
        """Sends the requests of a call, and returns its result."""
        try:
            request = next(call)
            while True:
                request = call.send(self._send(request))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _send(self, request: Request) -> bytes:
        for attempt in itertools.count():
            try:
                answer = self._http.request(**request.arguments())
            except httpx.HTTPError as e:
                raise self._connection.unreachable(request, e) from e
            wait = self._connection.seconds_to_retry(answer, attempt)
            if wait is None:
                break
            time.sleep(wait)
        return calls.body(answer)
