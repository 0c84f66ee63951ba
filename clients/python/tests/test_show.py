from __future__ import annotations

import re
from importlib.metadata import version

import ctxnorm_client
from ctxnorm_client import Candidate, Client, LinkedDocument, LinkedMention


def test_a_document_in_a_notebook() -> None:
    def to(probability: float | None) -> tuple[Candidate, ...]:
        return (Candidate('A"1', "<b>", "x", 1, probability),)

    text = "<i>ab & cd ef gh ij"
    document = LinkedDocument(
        "1",
        text,
        (
            LinkedMention(6, 7, ()),  # within the next
            LinkedMention(3, 7, to(0.9), negated=True),
            LinkedMention(8, 10, to(0.5)),
            LinkedMention(11, 13, to(0.1)),
            LinkedMention(14, 16, ()),
            LinkedMention(17, 19, to(None), corrected="corrected by <ann>"),
        ),
    )
    html = document._repr_html_()
    assert re.sub(r"<small>.*?</small>|<[^>]*>", "", html) == "&lt;i&gt;ab &amp;  cd  ef  gh  ij "
    assert re.findall(r"<small>(.*?)</small>", html) == [
        "● A&quot;1",
        "◐ A&quot;1",
        "? A&quot;1",
        "∅ NIL",
        "✎ A&quot;1",
    ]
    assert re.findall('title="(.*?)"', html) == [
        "&lt;b&gt;, 0.90, negated",
        "&lt;b&gt;, 0.50",
        "&lt;b&gt;, 0.10",
        "NIL",
        "&lt;b&gt;, corrected by &lt;ann&gt;",
    ]


def test_mentions_as_a_frame(client: Client) -> None:
    [document] = client.annotate(["gout and hypertension"])
    frame = document.to_frame(top=2)
    assert list(frame["concept_id"]) == ["EX:034", "EX:013"]
    assert list(frame["start"]) == [0, 9] and frame["candidates"].iloc[0][0]["id"] == "EX:034"
    assert list(LinkedDocument("1", "", ()).to_frame().dtypes) == list(document.to_frame().dtypes)


def test_version() -> None:
    assert ctxnorm_client.__version__ == version("ctxnorm-client")
