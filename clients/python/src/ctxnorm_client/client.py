"""The client of a server."""

from __future__ import annotations

import dataclasses
import ipaddress
import itertools
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeAlias
from urllib.parse import quote

import httpx

from ctxnorm_client.errors import CtxnormError, Fault, Problem, ProblemError, UnreachableError
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
    decode,
)

AnyDocument: TypeAlias = str | Document | Mapping[str, Any]
"""A document to link: its text, a Document, or an object as in a line of JSONL."""

_NDJSON = "application/x-ndjson"
_STREAM_BATCH = 64  # documents of a request; the server links as many together
_PAGE = 100  # concepts; the most that the server returns at once
_MEMORY_PAGE = 1000  # entries of the memory; the same


class Client:
    """Links texts by the server at a URL. It may be used by several threads at once."""

    def __init__(
        self, url: str = "http://127.0.0.1:8080", token: str | None = None, *, timeout: float = 120, retries: int = 3
    ) -> None:
        """Connects at the first request.

        ``timeout`` is in seconds. A request that a busy server refuses (503 with ``Retry-After``) is sent
        again up to ``retries`` times.
        """
        self.url = url.rstrip("/")
        self.retries = retries
        self._http = httpx.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=timeout,
            trust_env=not _is_local(self.url),  # no proxy for this machine
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        return self._together("link", documents, _options(top, explain, assertion, xrefs=xrefs))

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
        return self._together("annotate", texts, _options(top, explain, assertion, recognize, xrefs))

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
        return self._stream("link", documents, _options(top, explain, assertion, xrefs=xrefs))

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
        return self._stream("annotate", texts, _options(top, explain, assertion, recognize, xrefs))

    def concepts(self, query: str, *, limit: int = 20) -> list[FoundConcept]:
        """Returns concepts by identifier, name, the beginning of a name, or a similar name, in this order."""
        found: list[FoundConcept] = []
        offset: int | None = 0
        while offset is not None and len(found) < limit:
            size = min(_PAGE, limit - len(found))
            page = self._json("GET", "/v1/concepts", params={"query": query, "limit": size, "offset": offset})
            found += (decode(FoundConcept, c) for c in page["concepts"])
            offset = page.get("next_offset")
        return found

    def concept(self, id: str, *, limit: int = 20, offset: int = 0) -> Concept:
        """Returns what the model knows of a concept, with ``limit`` of its exemplars from ``offset`` on."""
        path = "/v1/concepts/" + quote(id, safe="")
        return decode(Concept, self._json("GET", path, params={"limit": limit, "offset": offset}))

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
        text = document if isinstance(document, str) else document.text
        entry = {"kind": "nil" if concept is None else "context", "concept": concept, "document": document_id}
        return self._add({**entry, "text": text, "start": mention.start, "end": mention.end, "by": by}, replace)

    def add_name(self, concept: str, name: str, *, by: str | None = None) -> MemoryEntry:
        """Gives a concept one more name."""
        return self._add({"kind": "name", "concept": concept, "name": name, "by": by})

    def add_concept(
        self, id: str, name: str, *, synonyms: Iterable[str] = (), parents: Iterable[str] = (), by: str | None = None
    ) -> MemoryEntry:
        """Adds a concept that the dictionary lacks."""
        entry = {"kind": "concept", "id": id, "name": name, "by": by}
        return self._add({**entry, "synonyms": _several_names(synonyms), "parents": _several_names(parents)})

    def undo(self, number: int, *, by: str | None = None) -> MemoryEntry:
        """Undoes the entry of a number, and returns the entry that does so. Nothing is deleted."""
        params = {} if by is None else {"by": by}
        return decode(MemoryEntry, self._json("DELETE", f"/v1/memory/{number}", params=params))

    def memory(self, *, all: bool = False) -> list[MemoryEntry]:
        """Returns what curators said, the latest first. ``all`` adds entries that are not in force any more."""
        entries: list[MemoryEntry] = []
        offset: int | None = 0
        while offset is not None:
            params = {"limit": _MEMORY_PAGE, "offset": offset, "all": str(all).lower()}
            page = self._json("GET", "/v1/memory", params=params)
            entries += (decode(MemoryEntry, e) for e in page["entries"])
            offset = page.get("next_offset")
        return entries

    def export_memory(self) -> list[MemoryEntry]:
        """Returns the entries in force, in their order, for ``import_memory`` of a server of another model."""
        return [decode(MemoryEntry, e) for e in self._json("GET", "/v1/memory/export")["entries"]]

    def import_memory(self, entries: Iterable[MemoryEntry], *, replace: bool = False) -> ImportedEntries:
        """Adds entries of another memory, all or none. They get new numbers, and keep their times and persons."""
        body = {"entries": [_entry(e) for e in entries]}
        params = {"replace": "true"} if replace else {}
        return decode(ImportedEntries, self._post("/v1/memory/import", params, body))

    def health(self) -> Health:
        """Returns what the server says of itself."""
        return decode(Health, self._json("GET", "/healthz"))

    def _together(self, what: str, documents: Iterable[AnyDocument], options: dict[str, Any]) -> list[LinkedDocument]:
        body = {"documents": [_document(d) for d in _several(documents)]}
        if not body["documents"]:
            return []
        return [_linked(d) for d in self._post("/v1/" + what, options, body)["documents"]]

    def _add(self, entry: dict[str, Any], replace: bool = False) -> MemoryEntry:
        params = {"replace": "true"} if replace else {}
        return decode(MemoryEntry, self._post("/v1/memory", params, _without_none(entry)))

    def _stream(
        self, what: str, documents: Iterable[AnyDocument], options: dict[str, Any]
    ) -> Iterator[LinkedDocument | Problem]:
        numbered = enumerate(_several(documents), 1)
        while batch := list(itertools.islice(numbered, _STREAM_BATCH)):
            lines = [_dump({"id": str(n), **_document(d)}) for n, d in batch]
            answer = self._request(
                "POST", "/v1/" + what, params=options, content=b"\n".join(lines), headers={"Content-Type": _NDJSON}
            )
            yield from self._lines(answer, batch[0][0], len(batch))

    def _lines(self, answer: httpx.Response, first: int, count: int) -> Iterator[LinkedDocument | Problem]:
        """Yields the answers to documents of a stream, of which ``first`` is the number of the first."""
        values = [_parse(line) for line in answer.content.split(b"\n") if line]
        for value in values:
            if "error" not in value:
                yield _linked(value)
                continue
            problem = decode(Problem, value["error"])
            errors = tuple(
                f if f.line is None else dataclasses.replace(f, line=f.line + first - 1) for f in problem.errors
            )
            problem = dataclasses.replace(problem, errors=errors)
            if problem.status >= 500:
                raise ProblemError(problem)
            yield problem
        if len(values) != count:
            raise CtxnormError(f"the server answered {len(values)} of {count} documents, from document {first} on")

    def _post(self, path: str, params: dict[str, Any], body: object) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        return self._json("POST", path, params=params, content=_dump(body), headers=headers)

    def _json(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        return _parse(self._request(method, path, **request).content)

    def _request(self, method: str, path: str, **request: Any) -> httpx.Response:
        for attempt in itertools.count():
            try:
                answer = self._http.request(method, path, **request)
            except httpx.HTTPError as e:
                raise UnreachableError(f"{method} {self.url}{path}: {e or type(e).__name__}") from e
            if answer.is_success:
                return answer
            wait = answer.headers.get("Retry-After", "")
            if answer.status_code != 503 or not wait.isdecimal() or attempt >= self.retries:
                break
            time.sleep(int(wait))
        raise ProblemError(_problem(answer))


def _options(top: int, explain: bool, assertion: bool, recognize: bool = False, xrefs: bool = False) -> dict[str, Any]:
    options: dict[str, Any] = {"top": top}
    if recognize:
        options["recognize"] = "true"
    if explain:
        options["explain"] = "true"
    if assertion:
        options["assertion"] = "true"
    if xrefs:
        options["xrefs"] = "true"
    return options


def _several(documents: Iterable[AnyDocument]) -> Iterable[AnyDocument]:
    if isinstance(documents, (str, Document, Mapping)):
        raise TypeError(f"want a list of documents, got one: {documents!r:.80}")
    return documents


def _document(document: AnyDocument) -> dict[str, Any]:
    """Returns a document as the server reads it."""
    if isinstance(document, str):
        return {"text": document}
    if isinstance(document, Mapping):
        return dict(document)
    value = dataclasses.asdict(document, dict_factory=_without_none)
    if not document.mentions:
        del value["mentions"]  # they may be marked in the text
    return value


def _several_names(names: Iterable[str]) -> list[str]:
    if isinstance(names, str):
        raise TypeError(f"want several names, got one: {names!r:.80}")
    return list(names)


def _entry(entry: MemoryEntry) -> dict[str, Any]:
    """Returns an entry as the server imports it: without what is of its own memory alone."""
    value = dataclasses.asdict(entry, dict_factory=_without_none)
    for member in ("in_force", "replaces"):
        del value[member]
    if entry.text is None:
        del value["start"], value["end"]
    return {**value, "at": entry.at.isoformat()}


def _without_none(items: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {key: value for key, value in dict(items).items() if value is not None}


def _linked(value: dict[str, Any]) -> LinkedDocument:
    return dataclasses.replace(decode(LinkedDocument, {k: v for k, v in value.items() if k != "json"}), json=value)


def _dump(value: object) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as e:
        raise ValueError(f"a text has half of a surrogate pair, {e.object[e.start]!r}, which is no character") from e


def _parse(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as e:
        raise CtxnormError(f"the server's answer is no JSON: {line[:80]!r}") from e
    if not isinstance(value, dict):
        raise CtxnormError(f"the server's answer is {line[:80]!r}, want an object")
    return value


def _problem(answer: httpx.Response) -> Problem:
    """Returns the problem of an answer, also of one that is not the server's but a proxy's."""
    if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        return decode(Problem, _parse(answer.content))
    return Problem(answer.reason_phrase, answer.status_code, answer.text[:200], (Fault(answer.text[:200]),))


def _is_local(url: str) -> bool:
    host = httpx.URL(url).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
