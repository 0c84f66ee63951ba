from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from ctxnorm_client import ProblemError, Server

PATTERNS = [
    {"label": "DISEASE", "pattern": "gout"},
    {"label": "DISEASE", "pattern": "adult onset diabetes"},
    {"label": "DISEASE", "pattern": "breast and ovarian cancer"},
    {"label": "DISEASE", "pattern": "flat tire"},
    {"label": "PLACE", "pattern": "Hypertension"},
]


@pytest.fixture
def nlp(server: Server) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(PATTERNS)  # type: ignore[attr-defined]
    nlp.add_pipe("ctxnorm", config={"url": server.url, "token": server.token, "top": 3, "labels": ["DISEASE"]})
    return nlp


def test_entities_are_linked(nlp: Language) -> None:
    text = (
        "\N{DNA DOUBLE HELIX} Gout, gout; adult onset diabetes, breast and ovarian cancer, a flat tire in Hypertension."
    )
    doc = nlp(text)
    assert [(ent.text, ent.label_, ent.kb_id_) for ent in doc.ents] == [
        ("gout", "DISEASE", "EX:034"),
        ("adult onset diabetes", "DISEASE", "EX:009"),
        ("breast and ovarian cancer", "DISEASE", "EX:026|EX:027"),
        ("flat tire", "DISEASE", "NIL"),
        ("Hypertension", "PLACE", ""),
    ]
    gout, diabetes, _, tire, place = doc.ents
    assert gout._.candidates[0]["name"] == "gout"
    assert len(diabetes._.candidates) == 3 and diabetes._.candidates[0]["id"] == "EX:009"
    assert tire._.candidates == [] and place._.candidates is None


def test_pipe(nlp: Language) -> None:
    texts = ["gout" if i % 3 else "nothing" for i in range(200)]
    docs = list(nlp.pipe(texts, batch_size=32))
    assert [[ent.kb_id_ for ent in doc.ents] for doc in docs] == [["EX:034"] if i % 3 else [] for i in range(200)]


def test_pipelines_without_labels_are_saved(server: Server, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(PATTERNS)  # type: ignore[attr-defined]
    nlp.add_pipe("ctxnorm", config={"url": server.url})
    assert "ctxnorm" not in nlp.meta["labels"]
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert again.get_pipe_config("ctxnorm") == nlp.get_pipe_config("ctxnorm")
    from_bytes = spacy.blank("en")
    from_bytes.add_pipe("entity_ruler")
    from_bytes.add_pipe("ctxnorm", config={"url": server.url})
    assert from_bytes.from_bytes(nlp.to_bytes()).pipe_names == nlp.pipe_names


def test_documents_and_pipelines_are_saved(nlp: Language, server: Server, tmp_path: Path) -> None:
    saved = Doc(nlp.vocab).from_bytes(nlp("some gout").to_bytes())
    assert saved.ents[0].kb_id_ == "EX:034" and saved.ents[0]._.candidates[0]["id"] == "EX:034"
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert again("some gout").ents[0].kb_id_ == "EX:034"


def test_token_of_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXNORM_TOKEN", server.token)
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(PATTERNS)  # type: ignore[attr-defined]
    nlp.add_pipe("ctxnorm", config={"url": server.url})
    assert nlp("gout").ents[0].kb_id_ == "EX:034"
    assert server.token not in nlp.config.to_str()


def test_a_refusal_is_an_error(server: Server) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(PATTERNS)  # type: ignore[attr-defined]
    nlp.add_pipe("ctxnorm", config={"url": server.url, "token": "a token of another server"})
    assert len(nlp("nothing to link").ents) == 0
    with pytest.raises(ProblemError, match="401"):
        nlp("gout")
