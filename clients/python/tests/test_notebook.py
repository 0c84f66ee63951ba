from __future__ import annotations

import ast
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[3] / "examples" / "notebook.ipynb"


def test_notebook(program: str, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs the cells one after the other, as a kernel does, and looks at what they show."""
    shutil.copytree(model, tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(program) + os.pathsep + os.environ["PATH"])
    names: dict[str, Any] = {}
    shown = [
        _run("".join(cell["source"]), names)
        for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    document, mentions, linked = (value for value in shown if value is not None)
    assert document._repr_html_().count("<mark ") == 2
    assert list(mentions["concept_id"]) == ["EX:034", "EX:013"] and "candidates" in mentions
    assert list(linked["concept_id"].fillna("-")) == ["EX:034", "EX:009", "-"]


def _run(source: str, names: dict[str, Any]) -> Any:
    """Runs a cell, and returns the value of its last expression."""
    cell = ast.parse(source)
    last = cell.body.pop() if isinstance(cell.body[-1], ast.Expr) else None
    exec(compile(cell, str(NOTEBOOK), "exec"), names)  # noqa: S102 (cells of this repository)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)
