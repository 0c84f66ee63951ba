"""What is asked of a server, and what its answers mean, whichever client sends it."""

from __future__ import annotations

import dataclasses
import ipaddress
import itertools
import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
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

_JSON = "application/json"
_NDJSON = "application/x-ndjson"
_STREAM_BATCH = 64  # documents of a request; the server links as many together
_PAGE = 100  # concepts; the most that the server returns at once
_MEMORY_PAGE = 1000  # entries of the memory; the same


@dataclass(frozen=True)
class Request:
    """A request to the server at a URL."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = _JSON

    def arguments(self) -> dict[str, Any]:
        """What ``httpx.Client.request`` takes."""
        headers = {} if self.body is None else {"Content-Type": self.content_type}
        return {
            "method": self.method,
            "url": self.path,
            "params": self.params,
            "content": self.body,
            "headers": headers,
        }


T = TypeVar("T")
Call: TypeAlias = Generator[Request, bytes, T]
"""Yields the requests of a call, takes the bodies of their answers, and returns the result."""


@dataclass(frozen=True)
class Connection:
    """Where the server is, and how long to wait for it."""

    url: str
    token: str | None
    timeout: float
    retries: int

    def arguments(self) -> dict[str, Any]:
        """What ``httpx.Client`` and ``httpx.AsyncClient`` take."""
        try:
            url = httpx.URL(self.url)
        except httpx.InvalidURL as e:
            raise ValueError(f"the URL {self.url!r}: {e}") from e
        if (url.port or 0) > 65535:
            raise ValueError(f"the URL {self.url!r} has the port {url.port}, want at most 65535")
        if self.token and not self.token.isascii():
            raise ValueError("the token has characters that are not ASCII")
        return {
            "base_url": self.url,
            "headers": {"Authorization": f"Bearer {self.token}"} if self.token else {},
            "timeout": httpx.Timeout(self.timeout, pool=None),  # many calls at once wait for each other
            "trust_env": not _is_local(url.host),  # no proxy for this machine
        }

    def unreachable(self, request: Request, error: httpx.HTTPError) -> UnreachableError:
        """The error of a request that got no answer."""
        return UnreachableError(f"{request.method} {self.url}{request.path}: {str(error) or type(error).__name__}")

    def seconds_to_retry(self, answer: httpx.Response, attempt: int) -> int | None:
        """How long to wait before a request is sent again; None if its answer is final."""
        wait = answer.headers.get("Retry-After", "")
        if answer.status_code != 503 or attempt >= self.retries or not (wait.isdecimal() and len(wait) < 10):
            return None
        return int(wait) if int(wait) <= self.timeout else None


def body(answer: httpx.Response) -> bytes:
    """The body of an answer, if the server has not refused the request."""
    if not answer.is_success:
        raise ProblemError(_problem(answer))
    return answer.content


def together(what: str, documents: Iterable[AnyDocument], options: Mapping[str, Any]) -> Call[list[LinkedDocument]]:
    """Links, or annotates, documents in one request."""
    sent = [_document(d) for d in _several(documents)]
    if not sent:
        return []
    answer = yield from _json("POST", "/v1/" + what, options, {"documents": sent})
    linked = [_linked(d) for d in _list(answer, "documents")]
    if len(linked) != len(sent):
        raise CtxnormError(f"the server answered {len(linked)} of {len(sent)} documents")
    return linked


Batch: TypeAlias = list[tuple[int, AnyDocument]]
"""Documents of a stream, numbered from 1."""


def batches(documents: Iterable[AnyDocument]) -> Iterator[Batch]:
    """Yields the documents of a stream that are sent together."""
    numbered = enumerate(_several(documents), 1)
    while batch := list(itertools.islice(numbered, _STREAM_BATCH)):
        yield batch


def streamed(what: str, batch: Batch, options: Mapping[str, Any]) -> Call[Iterator[LinkedDocument | Problem]]:
    """Links, or annotates, a part of a stream, and returns as many answers."""
    lines = [_dump({"id": str(n), **_document(d)}) for n, d in batch]
    answer = yield Request("POST", "/v1/" + what, options, b"\n".join(lines), _NDJSON)
    return _answers(answer, batch[0][0], len(batch))


def _answers(answer: bytes, first: int, count: int) -> Iterator[LinkedDocument | Problem]:
    """Yields the answers to documents of a stream, of which ``first`` is the number of the first."""
    values = [_parse(line) for line in answer.split(b"\n") if line]
    for value in values:
        if "error" not in value:
            yield _linked(value)
            continue
        problem = decode(Problem, value["error"])
        errors = tuple(f if f.line is None else dataclasses.replace(f, line=f.line + first - 1) for f in problem.errors)
        problem = dataclasses.replace(problem, errors=errors)
        if problem.status >= 500:
            raise ProblemError(problem)
        yield problem
    if len(values) != count:
        raise CtxnormError(f"the server answered {len(values)} of {count} documents, from document {first} on")


def concepts(query: str, limit: int) -> Call[list[FoundConcept]]:
    """Searches concepts."""
    found: list[FoundConcept] = []
    offset: int | None = 0
    while offset is not None and len(found) < limit:
        size = min(_PAGE, limit - len(found))
        page = yield from _json("GET", "/v1/concepts", {"query": query, "limit": size, "offset": offset})
        found += (decode(FoundConcept, c) for c in _list(page, "concepts"))
        offset = _next_offset(page, offset, "concepts")
    return found


def concept(id: str, limit: int, offset: int) -> Call[Concept]:
    """Looks a concept up."""
    answer = yield from _json("GET", "/v1/concepts/" + quote(id, safe=""), {"limit": limit, "offset": offset})
    return decode(Concept, answer)


def correct(
    document: str | Document | LinkedDocument,
    mention: Mention | LinkedMention,
    concept: str | None,
    by: str | None = None,
    document_id: str | None = None,
    replace: bool = False,
) -> Call[MemoryEntry]:
    """Corrects a mention."""
    text = document if isinstance(document, str) else document.text
    entry = {"kind": "nil" if concept is None else "context", "concept": concept, "document": document_id}
    return add({**entry, "text": text, "start": mention.start, "end": mention.end, "by": by}, replace)


def add(entry: Mapping[str, Any], replace: bool = False) -> Call[MemoryEntry]:
    """Adds an entry to the memory."""
    answer = yield from _json("POST", "/v1/memory", _replacing(replace), _without_none(entry))
    return decode(MemoryEntry, answer)


def undo(number: int, by: str | None) -> Call[MemoryEntry]:
    """Undoes an entry of the memory."""
    answer = yield from _json("DELETE", f"/v1/memory/{number}", {} if by is None else {"by": by})
    return decode(MemoryEntry, answer)


def memory(all: bool) -> Call[list[MemoryEntry]]:
    """Lists the memory."""
    entries: list[MemoryEntry] = []
    offset: int | None = 0
    while offset is not None:
        params = {"limit": _MEMORY_PAGE, "offset": offset, "all": str(all).lower()}
        page = yield from _json("GET", "/v1/memory", params)
        entries += (decode(MemoryEntry, e) for e in _list(page, "entries"))
        offset = _next_offset(page, offset, "entries")
    return entries


def export_memory() -> Call[list[MemoryEntry]]:
    """Exports the memory."""
    answer = yield from _json("GET", "/v1/memory/export")
    return [decode(MemoryEntry, e) for e in _list(answer, "entries")]


def import_memory(entries: Iterable[MemoryEntry], replace: bool) -> Call[ImportedEntries]:
    """Adds entries of another memory."""
    sent = {"entries": [_entry(e) for e in entries]}
    answer = yield from _json("POST", "/v1/memory/import", _replacing(replace), sent)
    return decode(ImportedEntries, answer)


def health() -> Call[Health]:
    """Asks the server of itself."""
    answer = yield from _json("GET", "/healthz")
    return decode(Health, answer)


def options(
    top: int = 5, explain: bool = False, assertion: bool = False, recognize: bool = False, xrefs: bool = False
) -> dict[str, Any]:
    """The parameters of requests that link."""
    flags = {"explain": explain, "assertion": assertion, "recognize": recognize, "xrefs": xrefs}
    return {"top": top, **{name: "true" for name, is_set in flags.items() if is_set}}


def several_names(names: Iterable[str]) -> list[str]:
    """The list of names; an error for one name."""
    if isinstance(names, str):
        raise TypeError(f"want several names, got one: {names!r:.80}")
    return list(names)


def _json(
    method: str, path: str, params: Mapping[str, Any] | None = None, value: object = None
) -> Call[dict[str, Any]]:
    answer = yield Request(method, path, params or {}, None if value is None else _dump(value))
    return _parse(answer)


def _replacing(replace: bool) -> dict[str, str]:
    return {"replace": "true"} if replace else {}


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


def _linked(value: object) -> LinkedDocument:
    if not isinstance(value, dict):
        raise CtxnormError(f"the server's answer has the document {value!r:.80}, want an object")
    return dataclasses.replace(decode(LinkedDocument, {k: v for k, v in value.items() if k != "json"}), json=value)


def _list(answer: dict[str, Any], member: str) -> list[object]:
    value = answer.get(member)
    if not isinstance(value, list):
        raise CtxnormError(f"the server's answer has {value!r:.80} at /{member}, want a list")
    return value


def _next_offset(page: dict[str, Any], offset: int, member: str) -> int | None:
    following, want = page.get("next_offset"), offset + len(page[member])
    if following is None or isinstance(following, int) and following == want > offset:
        return following
    raise CtxnormError(f"the server's answer has {following!r:.80} at /next_offset after {want} {member}")


def _dump(value: object) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as e:
        raise ValueError(f"a text has half of a surrogate pair, {e.object[e.start]!r}, which is no character") from e


def _parse(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise CtxnormError(f"the server's answer is no JSON: {line[:80]!r}") from e
    if not isinstance(value, dict):
        raise CtxnormError(f"the server's answer is {line[:80]!r}, want an object")
    return value


def _problem(answer: httpx.Response) -> Problem:
    """Returns the problem of an answer, also of one that is not the server's but a proxy's."""
    if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        return decode(Problem, _parse(answer.content))
    return Problem(answer.reason_phrase, answer.status_code, answer.text[:200], (Fault(answer.text[:200]),))


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
