from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from ctxnorm_client import Client, Server, ServerError, UnreachableError
from ctxnorm_client.server import _find

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_start_and_stop(program: str, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("the token of another server")
    monkeypatch.setenv("CTXNORM_TOKEN_FILE", str(tmp_path / "token"))  # settings of other servers do not matter
    monkeypatch.setenv("CTXNORM_QUIET", "true")
    server = Server(model, program=program, args=["--method", "exact"])
    with pytest.raises(ServerError, match="not started"):
        _ = server.client
    for _ in range(2):  # it can be started again
        with server:
            url = server.url
            assert server.client.annotate(["gout"])[0].mentions[0].concept_id == "EX:034"
            with pytest.raises(ServerError, match="started before"):
                server.start()
        with Client(url) as client, pytest.raises(UnreachableError):
            client.health()
    server.stop()


def test_dictionary(program: str) -> None:
    with Server(dictionary=EXAMPLES / "occupations" / "dictionary.csv", program=program) as server:
        assert server.client.annotate(["A web developer."])[0].mentions[0].concept_id == "JOB:10"


def test_program_beside_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program that a wheel has installed is found, also where PATH has none or another."""
    scripts, path = tmp_path / "scripts", tmp_path / "path"
    for folder in scripts, path:
        folder.mkdir()
        (folder / "tool").write_text("#!/bin/sh\n")
        (folder / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", str(path))
    assert _find("tool") == str(path / "tool")
    monkeypatch.setattr(sysconfig, "get_path", lambda name, scheme="": str(scripts))
    assert _find("tool") == str(scripts / "tool")
    assert _find(path / "tool") == str(path / "tool")


def test_it_does_not_start(program: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="no program 'no-such-program'"):
        Server(program="no-such-program").start()
    with pytest.raises(ServerError, match="ctxnorm serve ended: .*no-such-model"):
        Server(tmp_path / "no-such-model", program=program).start()
    with pytest.raises(ServerError, match="unknown flag"):
        Server(program=program, args=["--no-such-flag"]).start()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell script")
def test_it_is_not_ready_in_time(tmp_path: Path) -> None:
    script = tmp_path / "ctxnorm"
    script.write_text("#!/bin/sh\necho loading >&2\nexec sleep 60\n")
    script.chmod(0o755)
    with pytest.raises(ServerError, match="not ready within 1 s: loading"):
        Server(program=script, start_seconds=1).start()


def test_it_ends_with_python(program: str, model: Path) -> None:
    """A server that nobody stops ends with the program that started it."""
    code = f"import ctxnorm_client; print(ctxnorm_client.Server({str(model)!r}, program={program!r}).start().url)"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    with Client(ran.stdout.strip()) as client, pytest.raises(UnreachableError):
        client.health()
