"""A client for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Self

from ctxnorm_client.client import AnyDocument, Client
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


class AsyncClient:
    """Links texts as ``Client`` does, without blocking the event loop.

    Its methods have the parameters of those of ``Client``, which run in threads: a request goes on when the call
    that made it is cancelled.
    """

    def __init__(self, url: str = "http://127.0.0.1:8080", token: str | None = None, **options: Any) -> None:
        """``options`` are those of ``Client``."""
        self.client = Client(url, token, **options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await asyncio.to_thread(self.client.close)

    async def link(self, documents: Iterable[AnyDocument], **options: Any) -> list[LinkedDocument]:
        """Links the mentions of documents, in one request."""
        return await asyncio.to_thread(self.client.link, documents, **options)

    async def annotate(self, texts: Iterable[AnyDocument], **options: Any) -> list[LinkedDocument]:
        """Finds the names of the dictionary in texts, and links them, in one request."""
        return await asyncio.to_thread(self.client.annotate, texts, **options)

    def link_stream(self, documents: Iterable[AnyDocument], **options: Any) -> AsyncIterator[LinkedDocument | Problem]:
        """Links any number of documents, and yields as many answers in their order."""
        return _in_threads(self.client.link_stream(documents, **options))

    def annotate_stream(self, texts: Iterable[AnyDocument], **options: Any) -> AsyncIterator[LinkedDocument | Problem]:
        """Finds names in any number of texts, and links them, as ``link_stream`` does."""
        return _in_threads(self.client.annotate_stream(texts, **options))

    async def concepts(self, query: str, *, limit: int = 20) -> list[FoundConcept]:
        """Returns concepts by identifier or name."""
        return await asyncio.to_thread(self.client.concepts, query, limit=limit)

    async def concept(self, id: str, *, limit: int = 20, offset: int = 0) -> Concept:
        """Returns what the model knows of a concept."""
        return await asyncio.to_thread(self.client.concept, id, limit=limit, offset=offset)

    async def correct(
        self,
        document: str | Document | LinkedDocument,
        mention: Mention | LinkedMention,
        concept: str | None,
        **options: Any,
    ) -> MemoryEntry:
        """Says which concept a mention names, or None for NIL."""
        return await asyncio.to_thread(self.client.correct, document, mention, concept, **options)

    async def health(self) -> Health:
        """Returns what the server says of itself."""
        return await asyncio.to_thread(self.client.health)


async def _in_threads(answers: Iterator[LinkedDocument | Problem]) -> AsyncIterator[LinkedDocument | Problem]:
    """Yields the answers of a stream, each of which may wait for a request."""
    while (answer := await asyncio.to_thread(next, answers, None)) is not None:
        yield answer
