"""What can go wrong: a server refuses a request, cannot be reached, or does not start."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault of a request, and its place."""

    detail: str
    pointer: str | None = None  # the place in the body, a JSON pointer such as "/documents/0/mentions/2"
    parameter: str | None = None  # the parameter of the path or the query
    line: int | None = None  # of documents that are streamed: the number of the document, from 1
    offset: int | None = None  # in the body, in bytes, if it cannot be parsed

    def __str__(self) -> str:
        if self.pointer:
            return f"{self.pointer}: {self.detail}"
        if self.parameter:
            return f"parameter {self.parameter}: {self.detail}"
        if self.line is not None:
            return f"document {self.line}: {self.detail}"
        return self.detail


@dataclass(frozen=True)
class Problem:
    """Why the server refused a request, or a document of a stream (RFC 9457)."""

    title: str
    status: int
    detail: str
    errors: tuple[Fault, ...] = ()  # the first 20

    def __str__(self) -> str:
        places = "; ".join(str(fault) for fault in self.errors)
        return f"{self.status} {self.title}: {places or self.detail}"


class CtxnormError(Exception):
    """The base of all errors of this package."""


class ProblemError(CtxnormError):
    """The server refused a request."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    @property
    def status(self) -> int:
        return self.problem.status

    @property
    def detail(self) -> str:
        return self.problem.detail

    @property
    def pointer(self) -> str | None:
        """The place of the first fault in the body, a JSON pointer."""
        return next((fault.pointer for fault in self.problem.errors if fault.pointer), None)


class UnreachableError(CtxnormError):
    """The server cannot be reached, or did not answer in time."""


class ServerError(CtxnormError):
    """The program ctxnorm cannot be started, or ended."""
