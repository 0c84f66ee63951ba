"""Mentions in pandas data frames. Needs pandas: ``pip install 'ctxnorm-client[pandas]'``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ctxnorm_client.client import Client
from ctxnorm_client.errors import CtxnormError, Problem, ProblemError
from ctxnorm_client.results import ASSERTIONS, Document, LinkedDocument, LinkedMention, Mention

if TYPE_CHECKING:
    import pandas as pd

_NIL = LinkedMention(0, 0, ())


def link_frame(
    client: Client,
    frame: pd.DataFrame,
    text: str = "text",
    *,
    start: str | None = None,
    end: str | None = None,
    top: int = 1,
) -> pd.DataFrame:
    """Returns a copy of a frame with columns of the concept of each row.

    They are ``concept_id``, ``concept_name``, ``matched_name`` (the name of the concept that is most like the
    mention), ``score`` (of methods by strings the similarity to it) and ``probability``, where the method has one.

    With a ``top`` of more than 1 the column ``candidates`` has as many candidates of each mention, as
    dictionaries with ``id``, ``name`` and ``probability``, the best first.

    Each row has a mention: the cell in the column ``text``, or its characters from the column ``start`` to
    the column ``end``. Rows with the same text are linked as one document. NIL mentions and empty cells
    have missing values, composite mentions have ``D001943|D010051`` and the smaller score and probability.
    """
    if (start is None) != (end is None):
        raise ValueError("start and end are columns that belong together: name both or none")
    _check_columns(frame, text, start, end, new=_new_columns(top))
    rows: dict[str, dict[int, Mention]] = {}  # of each text, by position
    for i, cell in enumerate(frame[text]):
        if not _has_text(cell, frame, text, i):
            continue
        if start is None or end is None:
            mention = Mention(0, len(cell))
        else:
            mention = Mention(_offset(frame, start, i), _offset(frame, end, i))
        rows.setdefault(cell, {})[i] = mention
    linked: list[LinkedMention | None] = [None] * len(frame)
    documents = (Document(cell, tuple(mentions.values())) for cell, mentions in rows.items())
    positions = list(rows.values())
    for n, document in _linked(client.link_stream(documents, top=top), [next(iter(p)) for p in positions], frame):
        for i, linked_mention in zip(positions[n], document.mentions, strict=True):
            if linked_mention.error:
                raise CtxnormError(f"{_row(frame, i)}: {linked_mention.error}")
            linked[i] = linked_mention
    return frame.assign(**_concepts([m or _NIL for m in linked], top))


def annotate_frame(
    client: Client,
    frame: pd.DataFrame,
    text: str = "text",
    *,
    top: int = 1,
    assertion: bool = False,
    recognize: bool = False,
) -> pd.DataFrame:
    """Returns a frame of the dictionary's names in the texts of a column, one a row.

    With ``recognize`` it has other wordings, too. Its index is that of the row with the text; its columns are those of
    ``mentions_frame``.
    """
    _check_columns(frame, text)
    at = [i for i, cell in enumerate(frame[text]) if _has_text(cell, frame, text, i)]
    documents = (Document(frame[text].iloc[i]) for i in at)
    positions: list[int] = []
    mentions: list[LinkedMention] = []
    answers = client.annotate_stream(documents, top=top, assertion=assertion, recognize=recognize)
    for n, document in _linked(answers, at, frame):
        positions += [at[n]] * len(document.mentions)
        mentions += document.mentions
    found = mentions_frame(mentions, top=top, assertion=assertion, recognize=recognize)
    return found.set_axis(frame.index[positions])


def mentions_frame(
    mentions: Iterable[LinkedMention], *, top: int = 1, assertion: bool = False, recognize: bool = False
) -> pd.DataFrame:
    """Returns a frame with a row for each mention.

    Its columns are ``start``, ``end``, ``mention`` and those of ``link_frame``; with ``assertion`` ``negated``, ``uncertain``,
    ``historical``, ``hypothetical`` and ``other_person``, and with ``recognize`` ``source``.
    """
    import pandas as pd

    mentions = list(mentions)
    said: dict[str, Any] = {}
    if assertion:
        said = {name: pd.array([getattr(m, name) for m in mentions], dtype="bool") for name in ASSERTIONS}
    if recognize:
        said["source"] = pd.array([m.source for m in mentions], dtype="string")
    return pd.DataFrame(
        {
            "start": pd.array([m.start for m in mentions], dtype="int64"),
            "end": pd.array([m.end for m in mentions], dtype="int64"),
            "mention": pd.array([m.text for m in mentions], dtype="string"),
            **_concepts(mentions, top),
            **said,
        }
    )


def _new_columns(top: int) -> list[str]:
    columns = ["concept_id", "concept_name", "matched_name", "score", "probability"]
    return [*columns, *(["candidates"] if top > 1 else [])]


def _concepts(mentions: list[LinkedMention], top: int) -> dict[str, Any]:
    """Returns the columns of the concepts of mentions."""
    import pandas as pd

    columns: dict[str, Any] = {
        "concept_id": pd.array([m.concept_id for m in mentions], dtype="string"),
        "concept_name": pd.array([m.concept_name for m in mentions], dtype="string"),
        "matched_name": pd.array([m.matched_name for m in mentions], dtype="string"),
        "score": pd.array([m.score for m in mentions], dtype="Float64"),
        "probability": pd.array([m.probability for m in mentions], dtype="Float64"),
    }
    if top > 1:
        lists = [
            [{"id": c.id, "name": c.name, "probability": c.probability} for c in m.candidates[:top]] for m in mentions
        ]
        columns["candidates"] = pd.Series(lists, dtype="object").to_numpy()
    return columns


def _linked(
    answers: Iterator[LinkedDocument | Problem], rows: list[int], frame: pd.DataFrame
) -> Iterator[tuple[int, LinkedDocument]]:
    """Yields numbered documents, whose first rows are given."""
    for n, answer in enumerate(answers):
        if isinstance(answer, Problem):
            raise CtxnormError(f"{_row(frame, rows[n])}: {answer}") from ProblemError(answer)
        yield n, answer


def _check_columns(frame: pd.DataFrame, *columns: str | None, new: list[str] | None = None) -> None:
    for column in columns:
        if column is not None and column not in frame.columns:
            raise KeyError(f"the frame has no column {column!r}")
    for column in new or []:
        if column in frame.columns:
            raise ValueError(f"the frame has a column {column!r} already")


def _has_text(cell: Any, frame: pd.DataFrame, column: str, i: int) -> bool:
    """Reports whether a cell is not missing or empty."""
    import pandas as pd

    if isinstance(cell, str):
        return cell.strip() != ""
    if pd.isna(cell):
        return False
    raise TypeError(f"{_row(frame, i)}: column {column!r} has {cell!r}, want a text")


def _offset(frame: pd.DataFrame, column: str, i: int) -> int:
    cell: Any = frame[column].iloc[i]
    try:
        if int(cell) == cell:
            return int(cell)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{_row(frame, i)}: column {column!r} has {cell!r}, want an offset")


def _row(frame: pd.DataFrame, i: int) -> str:
    return f"row {frame.index[i]!r}"
