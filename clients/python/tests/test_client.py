from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import ctxnorm_client
from ctxnorm_client import Client, Document, Fragment, LinkedDocument, LinkedMention, Mention, Problem, ProblemError
from ctxnorm_client.results import decode

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_link(client: Client) -> None:
    text = "\N{FACE WITH TEARS OF JOY} Breast and ovarian cancer, and COPD."  # an offset is a character
    start = text.index("Breast")
    [document] = client.link([Document(text, (Mention(start, start + 25, type="Disease"),), id="a")], top=3)
    assert (document.id, document.text) == ("a", text)
    [mention] = document.mentions
    assert (mention.start, mention.text, mention.type) == (start, "Breast and ovarian cancer", "Disease")
    assert mention.concept_id == "EX:026|EX:027"
    assert mention.concept_name == "breast cancer|ovarian cancer"
    probabilities = [sub.candidates[0].probability for sub in mention.sub_mentions]
    assert mention.probability == min(p for p in probabilities if p is not None)
    assert len(mention.candidates) <= 3


def test_discontinuous(client: Client) -> None:
    fragments = (Fragment(0, 6), Fragment(19, 25))
    [document] = client.link([Document("breast and ovarian cancer", (Mention(0, 25, fragments=fragments),))])
    [mention] = document.mentions
    assert (mention.text, mention.fragments, mention.concept_id) == ("breast cancer", fragments, "EX:026")


def test_documents_of_each_kind(client: Client) -> None:
    mapping = {"text": "gout", "mentions": [{"start": 0, "end": 4}], "source": "ward 3"}
    documents: list[ctxnorm_client.calls.AnyDocument] = ["[ENT] gout [/ENT]", mapping, Document("[ENT] gout [/ENT]")]
    linked = client.link(documents)
    assert [[m.concept_id for m in d.mentions] for d in linked] == [["EX:034"]] * 3
    assert linked[1].json["source"] == "ward 3"
    assert client.link([]) == []


def test_nil(client: Client) -> None:
    [document] = client.link(["[ENT] flat tire [/ENT]"])
    [mention] = document.mentions
    assert (mention.concept_id, mention.concept_name, mention.probability) == (None, None, None)


def test_no_probability() -> None:
    candidate = {"id": "A", "name": "gout", "matched_name": "gout", "score": 1, "votes": 0}
    mention = decode(LinkedMention, {"start": 0, "end": 4, "candidates": [candidate]})
    assert (mention.concept_id, mention.probability, mention.candidates[0].probability) == ("A", None, None)


def test_explain(client: Client) -> None:
    [document] = client.annotate(["gout"])
    assert all(c.evidence == () for c in document.mentions[0].candidates)
    with_evidence = client.annotate(["He had uric acid and gout."], explain=True, assertion=True)
    assert with_evidence[0].mentions[0].concept_id == "EX:034"
    assert not with_evidence[0].mentions[0].negated


def test_one_document_is_refused(client: Client) -> None:
    for one in ("gout", {"text": "gout"}, Document("gout")):
        with pytest.raises(TypeError, match="want a list of documents, got one"):
            client.link(one)  # type: ignore[arg-type]


def test_problems(client: Client) -> None:
    with pytest.raises(ProblemError) as refused:
        client.link(["gout", Document("gout", (Mention(0, 4), Mention(2, 99)))])
    assert refused.value.status == 422
    assert refused.value.pointer == "/documents/1/mentions/1"
    assert "want a range within the 4 characters" in refused.value.detail
    with pytest.raises(ProblemError) as refused:
        client.annotate(["gout"], top=0)
    assert refused.value.problem.errors[0].parameter == "top"
    with pytest.raises(ProblemError) as refused:
        client.concept("no/such concept?")
    assert (refused.value.status, refused.value.detail) == (404, 'the model has no concept "no/such concept?"')
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        client.annotate(["\ud800"])


def test_stream(client: Client) -> None:
    taken = 0

    def documents() -> Iterator[ctxnorm_client.calls.AnyDocument]:
        nonlocal taken
        for taken in range(1, 1001):
            if taken == 100:
                yield {"txt": "no text"}
            elif taken == 200:
                yield Document("gout", (Mention(0, 99),))
            else:
                yield f"[ENT] gout [/ENT] in ward {taken},\u2028a line that JSON does not end"

    answers = client.link_stream(documents(), top=1)
    first = next(answers)
    assert isinstance(first, LinkedDocument) and taken == 64  # no more are read than a request has
    rest = list(answers)
    assert len(rest) == 999
    for number, answer in enumerate(rest, 2):
        if number == 100:
            assert isinstance(answer, Problem) and answer.errors[0].line == 100
            continue
        assert isinstance(answer, LinkedDocument) and answer.id == str(number)
        if number == 200:
            assert answer.mentions[0].error and answer.mentions[0].concept_id is None
        else:
            assert answer.mentions[0].concept_id == "EX:034" and f"ward {number}," in answer.text


def test_concepts(client: Client) -> None:
    assert [(c.id, c.match) for c in client.concepts("EX:034", limit=1)] == [("EX:034", "id")]
    many = client.concepts("cancer", limit=5)
    assert len({c.id for c in many}) == 5
    assert client.concepts("cancer", limit=500)[:5] == many  # several pages
    concept = client.concept("EX:013", limit=1)
    assert concept.name == "hypertension" and len(concept.exemplars) == 1 < concept.exemplar_count
    exemplar = concept.exemplars[0]
    assert exemplar.text[exemplar.start : exemplar.end] in concept.names


def test_as_the_command_links(client: Client, program: str, model: Path) -> None:
    """A document gets the same answers by the client and by the program, to the last digit."""
    sentences = EXAMPLES / "sentences.jsonl"
    link = [program, "link", "--quiet", "--model", str(model), "--input", str(sentences), "--format", "jsonl"]
    printed = subprocess.run([*link, "--top", "5"], check=True, capture_output=True, text=True).stdout
    want = [json.loads(line) for line in printed.split("\n") if line]
    documents = [json.loads(line) for line in sentences.read_text("utf-8").split("\n") if line]
    got = [answer.json for answer in client.link_stream(documents, top=5) if isinstance(answer, LinkedDocument)]
    assert got == want and len(got) == len(documents)


@pytest.fixture
def correcting(program: str, model: Path, tmp_path: Path) -> Iterator[Client]:
    """A client of a server whose model nobody has corrected."""
    shutil.copytree(model, tmp_path / "model")
    with ctxnorm_client.Server(tmp_path / "model", program=program) as server:
        yield server.client


def test_correct(correcting: Client) -> None:
    client, text = correcting, "\N{FACE WITH TEARS OF JOY} A sour toe."
    toe = Mention(4, 12)

    def linked(id: str | None = None, text: str = text) -> str | None:
        return client.link([Document(text, (toe,), id)])[0].mentions[0].concept_id

    before = linked()
    gout = client.correct(Document(text, id="7"), toe, "EX:034", by="ann")
    assert (gout.number, gout.kind, gout.text, gout.start, gout.by) == (1, "context", text, 4, "ann")
    assert abs(datetime.now(UTC) - gout.at) < timedelta(minutes=1)
    assert gout.document is None  # the number of a document in a request is not its name
    assert linked("7") == linked("8") == "EX:034"
    assert client.correct(text, toe, "EX:034") == gout  # that was said
    with pytest.raises(ProblemError, match="entry 1 says that") as refused:
        client.correct(text, toe, None)
    assert refused.value.status == 409
    nil = client.correct(text, toe, None, document_id="7", replace=True)
    assert (nil.kind, nil.concept, nil.document, nil.replaces) == ("nil", None, "7", (1,))
    assert linked("7") is None and linked("7", text.replace(" A ", " B ")) is None
    undo = client.undo(nil.number)
    assert (undo.kind, undo.undoes, linked("7")) == ("undo", 2, before)
    with pytest.raises(ProblemError, match="404"):
        client.undo(nil.number)
    assert client.memory() == []
    assert [(e.number, e.in_force) for e in client.memory(all=True)] == [(3, False), (2, False), (1, False)]


def test_names_and_concepts(correcting: Client) -> None:
    client = correcting
    client.add_concept("EX:900", "sleep inertia", synonyms=["sleep drunkenness"], parents=["EX:034"])
    client.add_name("EX:900", "heavy waking")
    concept = client.concept("EX:900")
    assert concept.names == ("sleep inertia", "sleep drunkenness", "heavy waking")
    assert [parent.id for parent in concept.parents] == ["EX:034"]
    assert client.add_no_mention("sleepy").kind == "no_mention"
    with pytest.raises(ProblemError, match="is a name of EX:900"):
        client.add_no_mention("Heavy waking")
    with pytest.raises(TypeError, match="several names"):
        client.add_concept("EX:901", "x", synonyms="abc")
    with pytest.raises(ProblemError) as refused:
        client.add_name("EX:999", "heavy waking")
    assert refused.value.pointer == "/concept"


def test_move_the_memory(correcting: Client) -> None:
    text = "A sour toe."
    correcting.add_name("EX:034", "sour foot", by="ann")
    correcting.correct(text, Mention(0, 1), None, by="bob")
    correcting.undo(correcting.correct(text, Mention(2, 10), "EX:034").number)
    correcting.add_concept("EX:900", "sleep inertia", parents=["EX:034"])
    for number in range(5):
        correcting.add_name("EX:900", f"inertia {number}")
    exported = correcting.export_memory()
    assert [e.kind for e in exported] == ["name", "nil", "concept"] + 5 * ["name"]
    assert exported == sorted(correcting.memory(), key=lambda e: e.number)
    for entry in correcting.memory():  # of the names the last one first, which need the concept
        correcting.undo(entry.number)
    assert correcting.export_memory() == []
    exported[1] = dataclasses.replace(exported[1], only=True)
    assert correcting.import_memory(exported) == ctxnorm_client.ImportedEntries(added=8, skipped=0)
    moved = correcting.export_memory()
    assert [dataclasses.replace(e, number=0) for e in moved] == [dataclasses.replace(e, number=0) for e in exported]
    with pytest.raises(ProblemError) as refused:
        correcting.import_memory([exported[0], dataclasses.replace(exported[0], concept="EX:999")])
    assert refused.value.pointer == "/entries/1/concept"


def test_health(client: Client) -> None:
    assert client.health().status == "ok" and client.health().concepts == 66 and not client.health().encoder


def test_token(server: ctxnorm_client.Server) -> None:
    with Client(server.url) as stranger, pytest.raises(ProblemError) as refused:
        stranger.annotate(["gout"])
    assert refused.value.status == 401


def test_unreachable() -> None:
    with (
        Client("http://127.0.0.1:9") as client,
        pytest.raises(ctxnorm_client.UnreachableError, match="127.0.0.1:9/healthz"),
    ):
        client.health()


Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture
def answering() -> Iterator[Callable[[list[Answer]], Client]]:
    """A client of a server that is not ctxnorm, with the answers that it gives in turn."""
    servers: list[HTTPServer] = []

    def serve(answers: list[Answer]) -> Client:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, headers, body = answers.pop(0)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return Client(f"http://127.0.0.1:{server.server_port}/")

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


HEALTH = b'{"status": "ok", "concepts": 1, "encoder": false, "recognizer": false, "memory": true, "version": "1", "later": []}'
BUSY = b'{"title": "Service Unavailable", "status": 503, "detail": "too many requests"}'
PROBLEM = {"Content-Type": "application/problem+json"}


def test_busy(answering: Callable[[list[Answer]], Client]) -> None:
    client = answering([(503, {**PROBLEM, "Retry-After": "0"}, BUSY), (200, {}, HEALTH)])
    assert client.health().concepts == 1
    client = answering([(503, {**PROBLEM, "Retry-After": "0"}, BUSY)] * 4)
    with pytest.raises(ProblemError, match="503 Service Unavailable: too many requests"):
        client.health()
    for headers in ({}, {"Retry-After": "121"}, {"Retry-After": "9" * 5000}, {"Retry-After": "soon"}):
        client = answering([(503, {**PROBLEM, **headers}, BUSY)])
        with pytest.raises(ProblemError, match="too many requests"):
            client.health()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((502, {}, b"<html>bad gateway"), "502 Bad Gateway: <html>bad gateway"),
        ((200, {}, b"<html>log in"), "no JSON: b'<html>log in'"),
        ((200, {}, b"[]"), "want an object"),
        ((200, {}, b'{"status": "ok"}'), "no /concepts"),
        ((200, {}, HEALTH.replace(b"1,", b"true,")), "True at /concepts, want int"),
        ((200, {"Content-Length": "99"}, b"{"), "/healthz: "),
    ],
)
def test_not_the_answer_of_ctxnorm(answering: Callable[[list[Answer]], Client], answer: Answer, error: str) -> None:
    with pytest.raises(ctxnorm_client.CtxnormError) as raised:
        answering([answer]).health()
    assert error in str(raised.value)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"{}", "None at /concepts, want a list"),
        (b'{"concepts": 7}', "7 at /concepts, want a list"),
        (b'{"concepts": [null]}', "None at /, want an object"),
        (b'{"concepts": [], "next_offset": 0}', "0 at /next_offset after 0 concepts"),
        (b'{"concepts": [], "next_offset": 1}', "1 at /next_offset after 0 concepts"),
        (b'{"concepts": [], "next_offset": "1"}', "'1' at /next_offset after 0 concepts"),
        (b"[" * 100_000, "no JSON: b'[[["),
    ],
)
def test_not_a_page_of_ctxnorm(answering: Callable[[list[Answer]], Client], answer: bytes, error: str) -> None:
    with pytest.raises(ctxnorm_client.CtxnormError) as raised:
        answering([(200, {}, answer)]).concepts("gout")
    assert error in str(raised.value)


NOT_DOCUMENTS = [b"{}", b'{"documents": {}}', b'{"documents": [null]}', b'{"documents": [[]]}', b'{"documents": []}']


@pytest.mark.parametrize("answer", NOT_DOCUMENTS)
def test_not_documents_of_ctxnorm(answering: Callable[[list[Answer]], Client], answer: bytes) -> None:
    with pytest.raises(ctxnorm_client.CtxnormError, match="the server('s answer has .*| answered 0 of 1 )document"):
        answering([(200, {}, answer)]).link(["gout"])


def test_settings_of_a_client() -> None:
    with pytest.raises(ValueError, match="the URL 'http://\\[::1': "):
        Client("http://[::1")
    with pytest.raises(ValueError, match="the port 99999, want at most 65535"):
        Client("http://127.0.0.1:99999")
    with pytest.raises(ValueError, match="the token has characters that are not ASCII"):
        Client(token="Schlüssel")


def test_stream_that_ends_early(answering: Callable[[list[Answer]], Client]) -> None:
    line = b'{"id": "1", "text": "gout", "mentions": []}\n'
    stopped = b'{"error": ' + BUSY + b"}\n"
    for body, error in ((line, "1 of 2 documents"), (line + stopped, "too many requests")):
        answers = answering([(200, {}, body)]).annotate_stream(["gout", "gout"])
        with pytest.raises(ctxnorm_client.CtxnormError, match=error):
            list(answers)
