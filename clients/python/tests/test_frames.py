from __future__ import annotations

import pandas as pd
import pytest

from ctxnorm_client import Client, CtxnormError, annotate_frame, link_frame


def test_link_frame(client: Client) -> None:
    names = ["gout", None, "", "breast and ovarian cancer", "flat tire", "gout"]
    frame = pd.DataFrame({"name": names, "ward": range(6)}, index=[7, 7, 8, 9, 10, 11])  # labels may repeat
    linked = link_frame(client, frame, "name")
    assert list(frame.columns) == ["name", "ward"]
    columns = ["concept_id", "concept_name", "matched_name", "score", "probability"]
    assert list(linked.columns) == ["name", "ward", *columns]
    assert list(linked.index) == [7, 7, 8, 9, 10, 11]
    assert list(linked["concept_id"].fillna("-")) == ["EX:034", "-", "-", "EX:026|EX:027", "-", "EX:034"]
    assert linked["concept_name"].iloc[3] == "breast cancer|ovarian cancer"
    assert list(linked["probability"].isna()) == [False, True, True, False, True, False]
    assert list(linked["score"].isna()) == [False, True, True, False, True, False]
    assert [None if pd.isna(m) else m.count("|") for m in linked["matched_name"]] == [0, None, None, 1, None, 0]


def test_candidates(client: Client) -> None:
    frame = pd.DataFrame({"name": ["adult onset diabetes", "flat tire", None]})
    linked = link_frame(client, frame, "name", top=2)
    assert [[c["id"] for c in row] for row in linked["candidates"]] == [["EX:009", "EX:047"], [], []]
    assert linked["candidates"].iloc[0][0]["name"] == "type 2 diabetes mellitus"
    with pytest.raises(ValueError, match="has a column 'candidates' already"):
        link_frame(client, linked.drop(columns=linked.columns[1:-1]), "name", top=2)
    found = annotate_frame(client, pd.DataFrame({"text": ["gout", "nothing"]}, index=["a", "b"]), top=3)
    assert list(found.index) == ["a"] and found["candidates"].iloc[0][0]["id"] == "EX:034"
    assert list(annotate_frame(client, frame.iloc[:0], "name", top=2).columns) == list(found.columns)


def test_rows_of_one_text_are_one_document(client: Client) -> None:
    text = "Breast cancer (BC) and gout. BC is common."
    frame = pd.DataFrame({"text": [text] * 3, "start": [29, 23, 0], "end": [31, 27, 13]})
    linked = link_frame(client, frame, start="start", end="end")
    assert list(linked["concept_id"]) == ["EX:026", "EX:034", "EX:026"]  # BC is defined in the other sentence


def test_many_rows(client: Client) -> None:
    frame = pd.DataFrame({"text": [f"{name} {i}" for i in range(100) for name in ("gout", "hypertension")]})
    linked = link_frame(client, frame.assign(start=0, end=frame["text"].str.index(" ")), start="start", end="end")
    assert list(linked["concept_id"]) == ["EX:034", "EX:013"] * 100


def test_annotate_frame(client: Client) -> None:
    frame = pd.DataFrame({"note": ["gout and hypertension", None, "nothing", "gout"]}, index=list("abcd"))
    found = annotate_frame(client, frame, "note")
    assert list(found.index) == ["a", "a", "d"]
    assert list(found["mention"]) == ["gout", "hypertension", "gout"]
    assert list(found["concept_id"]) == ["EX:034", "EX:013", "EX:034"]
    assert list(found["start"]) == [0, 9, 0]
    empty = annotate_frame(client, frame.iloc[:0], "note")
    assert empty.empty and list(empty.dtypes) == list(found.dtypes)
    assert link_frame(client, frame.iloc[:0], "note").empty


def test_what_texts_say(client: Client) -> None:
    frame = pd.DataFrame({"text": ["No gout.", "Gout was treated."]}, index=["a", "b"])
    said = annotate_frame(client, frame, assertion=True, recognize=True)
    assert list(said["negated"]) == [True, False] and list(said["historical"]) == [False, False]
    assert list(said["source"]) == ["dictionary", "dictionary"]
    assert "negated" not in annotate_frame(client, frame) and "source" not in annotate_frame(client, frame)


def test_faults(client: Client) -> None:
    frame = pd.DataFrame({"text": ["gout", "gout too"], "start": [0, 0], "end": [4, 99]}, index=["a", "b"])
    with pytest.raises(CtxnormError, match="row 'b': mention 1 .* 0-99: want a range within the 8 characters"):
        link_frame(client, frame, start="start", end="end")
    with pytest.raises(KeyError, match="no column 'note'"):
        link_frame(client, frame, "note")
    with pytest.raises(ValueError, match="belong together"):
        link_frame(client, frame, start="start")
    with pytest.raises(ValueError, match="has a column 'probability' already"):
        link_frame(client, frame.assign(probability=1))
    with pytest.raises(TypeError, match=r"row 'a': column 'start' has .*0\.5.*, want an offset"):
        link_frame(client, frame.assign(start=0.5), start="start", end="end")
    with pytest.raises(TypeError, match="row 'a': column 'start' has 0, want a text"):
        link_frame(client, frame, "start")
