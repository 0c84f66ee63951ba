"""A server of one's own: the program ctxnorm, started and stopped."""

from __future__ import annotations

import atexit
import json
import os
import secrets
import shutil
import subprocess
import sysconfig
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

from ctxnorm_client.client import Client
from ctxnorm_client.errors import ServerError

_STOP_SECONDS = 35  # the server gives requests that are under way 30


def _find(program: str | os.PathLike[str]) -> str | None:
    """The path of a program: a path, or a name of the scripts of this Python, of the user's, or of PATH."""
    user = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    folders = [sysconfig.get_path("scripts"), user, os.environ.get("PATH", os.defpath)]
    return shutil.which(os.fspath(program), path=os.pathsep.join(folders))


class Server:
    """Runs ``ctxnorm serve`` with a model, at a free port of this machine, for this process alone::

    with ctxnorm_client.Server(model="model") as server:
        documents = server.client.annotate(texts)

    With ``dictionary="names.tsv"`` it serves a dictionary without a model.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] = "model",
        *,
        dictionary: str | os.PathLike[str] | None = None,
        program: str | os.PathLike[str] = "ctxnorm",
        args: Sequence[str] = (),
        start_seconds: float = 120,
    ) -> None:
        """``program`` is a path, or a name to look for beside this Python, where a wheel puts it, and then in PATH;
        ``args`` are more flags of ``ctxnorm serve``."""
        self.model = model
        self.dictionary = dictionary
        self.program = program
        self.args = tuple(args)
        self.start_seconds = start_seconds
        self._token = secrets.token_urlsafe(24)
        self._process: subprocess.Popen[str] | None = None
        self._client: Client | None = None
        self._log: deque[str] = deque(maxlen=20)
        self._url = ""
        self._announced = threading.Event()  # that its URL is known, or that it ended
        self._reader: threading.Thread | None = None

    @property
    def client(self) -> Client:
        """A client of the server."""
        if self._client is None:
            raise ServerError("the server was not started, or is stopped")
        return self._client

    @property
    def url(self) -> str:
        return self.client.url

    @property
    def token(self) -> str:
        """What requests need: ``Authorization: Bearer TOKEN``."""
        return self._token

    def start(self) -> Self:
        """Starts the server, and returns it when it is ready."""
        if self._process is not None:
            raise ServerError("the server was started before")
        path = _find(self.program)
        if path is None:
            raise ServerError(f"there is no program {os.fspath(self.program)!r}; see docs/install.md of ctxnorm")
        with tempfile.TemporaryDirectory(prefix="ctxnorm-") as folder:  # nobody else may read it
            token_file = Path(folder, "token")
            token_file.write_text(self._token + "\n")
            self._run([path, "serve", "--token-file", str(token_file)])
        return self

    def _run(self, command: list[str]) -> None:
        """Runs the server, and returns when it is ready."""
        if self.dictionary is None:
            command += ["--model", os.fspath(self.model)]
        else:
            command += ["--dict", os.fspath(self.dictionary)]
        command += ["--addr", "127.0.0.1:0", "--log-format", "json", "--quiet=false", *self.args]
        self._announced.clear()
        self._log.clear()
        self._url = ""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        atexit.register(self.stop)
        assert self._process.stderr is not None
        self._reader = threading.Thread(target=self._read_log, args=[self._process.stderr], daemon=True)
        self._reader.start()
        try:
            in_time = self._announced.wait(self.start_seconds)
            if not self._url:
                reason = "ended" if in_time else f"was not ready within {self.start_seconds:g} s"
                raise ServerError(f"ctxnorm serve {reason}: " + "; ".join(self._log))
            self._client = Client(self._url, self._token)
            self._client.health()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stops the server when the requests that are under way are answered."""
        atexit.unregister(self.stop)
        if self._client is not None:
            self._client.close()
            self._client = None
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._reader is not None:
            self._reader.join()
        self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _read_log(self, log: IO[str]) -> None:
        """Keeps the last messages of the server, and looks for its address in them."""
        with log:
            for line in log:
                try:
                    message = str(json.loads(line)["msg"])
                except (ValueError, KeyError, TypeError):
                    message = line.strip()  # of the runtime, not of ctxnorm
                self._log.append(message)
                _, found, url = message.partition(" is served at ")
                if found and not self._url:
                    self._url = url
                    self._announced.set()
        self._announced.set()
