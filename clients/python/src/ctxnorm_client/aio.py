"""A client for programs with an event loop."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterable
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
    LinkedDocument,
    LinkedMention,
    MemoryEntry,
    Mention,
)

T = TypeVar("T")


class AsyncClient:
    """Links texts as ``Client`` does, without blocking the event loop, which is the same for all calls.

    Its methods have the parameters of those of ``Client``. A call that is cancelled closes its connection, and the
    server stops its work.
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8080", token: str | None = None, *, timeout: float = 120, retries: int = 3
    ) -> None:
        """Connects at the first request, as ``Client`` does."""
        self._connection = Connection(url.rstrip("/"), token, timeout, retries)
        self._http = httpx.AsyncClient(**self._connection.arguments())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def link(self, documents: Iterable[AnyDocument], **options: Any) -> list[LinkedDocument]:
        """Links the mentions of documents, in one request."""
        return await self._run(calls.together("link", documents, calls.options(**options)))

    async def annotate(self, texts: Iterable[AnyDocument], **options: Any) -> list[LinkedDocument]:
        """Finds the names of the dictionary in texts, and links them, in one request."""
        return await self._run(calls.together("annotate", texts, calls.options(**options)))

    def link_stream(self, documents: Iterable[AnyDocument], **options: Any) -> AsyncIterator[LinkedDocument | Problem]:
        """Links any number of documents, and yields as many answers in their order."""
        return self._stream("link", documents, calls.options(**options))

    def annotate_stream(self, texts: Iterable[AnyDocument], **options: Any) -> AsyncIterator[LinkedDocument | Problem]:
        """Finds names in any number of texts, and links them, as ``link_stream`` does."""
        return self._stream("annotate", texts, calls.options(**options))

    async def concepts(self, query: str, *, limit: int = 20) -> list[FoundConcept]:
        """Returns concepts by identifier or name."""
        return await self._run(calls.concepts(query, limit))

    async def concept(self, id: str, *, limit: int = 20, offset: int = 0) -> Concept:
        """Returns what the model knows of a concept."""
        return await self._run(calls.concept(id, limit, offset))

    async def correct(
        self,
        document: str | Document | LinkedDocument,
        mention: Mention | LinkedMention,
        concept: str | None,
        **options: Any,
    ) -> MemoryEntry:
        """Says which concept a mention names, or None for NIL."""
        return await self._run(calls.correct(document, mention, concept, **options))

    async def health(self) -> Health:
        """Returns what the server says of itself."""
        return await self._run(calls.health())

    async def _stream(
        self, what: str, documents: Iterable[AnyDocument], options: dict[str, Any]
    ) -> AsyncIterator[LinkedDocument | Problem]:
        for batch in calls.batches(documents):
            for answer in await self._run(calls.streamed(what, batch, options)):
                yield answer

    async def _run(self, call: Call[T]) -> T:
        """Sends the requests of a call, and returns its result."""
        try:
            request = next(call)
            while True:
                request = call.send(await self._send(request))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _send(self, request: Request) -> bytes:
        for attempt in itertools.count():
            try:
                answer = await self._http.request(**request.arguments())
            except httpx.HTTPError as e:
                raise self._connection.unreachable(request, e) from e
            wait = self._connection.seconds_to_retry(answer, attempt)
            if wait is None:
                break
            await asyncio.sleep(wait)
        return calls.body(answer)
