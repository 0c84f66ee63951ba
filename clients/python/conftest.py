"""A real server of a small model, made from examples/ by the program that $CTXNORM_PROGRAM names."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import ctxnorm_client

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def program() -> str:
    path = shutil.which(os.environ.get("CTXNORM_PROGRAM", "ctxnorm"))
    if path is None:
        pytest.fail("there is no program ctxnorm: set CTXNORM_PROGRAM, or run make python-test")
    return os.path.abspath(path)


@pytest.fixture(scope="session")
def model(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    shutil.copy(EXAMPLES / "dictionary.tsv", folder)
    shutil.copytree(EXAMPLES / "pubmed", folder / "pubmed")
    texts = sorted(path.name for path in (folder / "pubmed").iterdir())
    subprocess.run([program, "build-corpus", *(f"pubmed/{name}" for name in texts)], cwd=folder, check=True)
    subprocess.run([program, "train", "--encoder", "none", "--dict-fraction", "0.5"], cwd=folder, check=True)
    return folder / "model"


@pytest.fixture(scope="session")
def server(program: str, model: Path) -> Iterator[ctxnorm_client.Server]:
    with ctxnorm_client.Server(model, program=program) as server:
        yield server


@pytest.fixture(scope="session")
def client(server: ctxnorm_client.Server) -> ctxnorm_client.Client:
    return server.client


@pytest.fixture(autouse=True)
def _session_of_the_readme(
    request: pytest.FixtureRequest, program: str, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The README starts ctxnorm, which is in PATH, in the folder of a model, which it corrects."""
    if request.node.name == "README.md":
        shutil.copytree(model, tmp_path / "model")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PATH", os.path.dirname(program) + os.pathsep + os.environ["PATH"])
