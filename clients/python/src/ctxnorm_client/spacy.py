"""A component of spaCy that links entities. Needs spaCy: ``pip install 'ctxnorm-client[spacy]'``."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import minibatch

from ctxnorm_client.client import Client
from ctxnorm_client.results import Document, LinkedMention, Mention

NIL = "NIL"  # as spaCy's own linker writes it

if not Span.has_extension("candidates"):
    Span.set_extension("candidates", default=None)


@Language.factory(
    "ctxnorm",
    assigns=["doc.ents", "token.ent_kb_id", "span._.candidates"],
    requires=["doc.ents"],
    default_config={"url": "http://127.0.0.1:8080", "token": None, "top": 5, "labels": None},
)
def make_linker(
    nlp: Language, name: str, url: str, token: str | None, top: int, labels: list[str] | None
) -> EntityLinker:
    """Makes the component. Without a token that of $CTXNORM_TOKEN is sent, which no pipeline on disk has."""
    return EntityLinker(Client(url, token or os.environ.get("CTXNORM_TOKEN")), top, labels)


class EntityLinker:
    """Links the entities that earlier components have found.

    ``ent.kb_id_`` is the concept, ``NIL`` if none fits, and ``D001943|D010051`` for a composite mention.
    ``ent._.candidates`` is the list of candidates, the best first, as dictionaries, which spaCy can
    save. With ``labels`` only entities with these are linked.
    """

    def __init__(self, client: Client, top: int, labels: list[str] | None) -> None:
        self.client = client
        self.top = top
        self._only = labels  # no attribute called labels, which spaCy lists as those that a component predicts

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Links the entities of a batch of documents in one request."""
        for batch in minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            docs = [(doc, self._entities(doc)) for doc in batch]
            linked = iter(self.client.link([_document(doc, ents) for doc, ents in docs if ents], top=self.top))
            for doc, ents in docs:
                if ents:
                    _assign(doc, ents, next(linked).mentions)
                yield doc

    def _entities(self, doc: Doc) -> list[Span]:
        return [ent for ent in doc.ents if self._only is None or ent.label_ in self._only]


def _document(doc: Doc, ents: list[Span]) -> Document:
    return Document(doc.text, tuple(Mention(ent.start_char, ent.end_char) for ent in ents))


def _assign(doc: Doc, ents: list[Span], mentions: Iterable[LinkedMention]) -> None:
    found = {(ent.start, ent.end): mention for ent, mention in zip(ents, mentions, strict=True)}
    for (start, end), mention in found.items():
        for token in doc[start:end]:
            token.ent_kb_id_ = mention.concept_id or NIL
    for ent in doc.ents:  # with their concepts: spaCy keeps extensions by all that a span is
        if linked := found.get((ent.start, ent.end)):
            ent._.candidates = [dataclasses.asdict(candidate) for candidate in linked.candidates]
