from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from ctxnorm_client import AsyncClient, CtxnormError, Problem, ProblemError, Server


def test_calls_run_beside_each_other(server: Server) -> None:
    async def session() -> None:
        async with AsyncClient(server.url, server.token) as client:
            linked, found, health = await asyncio.gather(
                client.annotate(["gout"]), client.concepts("rheumatoid", limit=1), client.health()
            )
            assert linked[0].mentions[0].concept_id == found[0].id.replace("033", "034") and health.status == "ok"
            assert (await client.concept("EX:034")).xrefs == ()
            [document] = await client.link(["[ENT] gout [/ENT]"], top=1, xrefs=True)
            assert document.mentions[0].concept_id == "EX:034"
            answers = [answer async for answer in client.annotate_stream(["gout", {"id": "2"}] * 40)]
            assert [isinstance(answer, Problem) for answer in answers] == [False, True] * 40
            assert [a async for a in client.link_stream([])] == []

    asyncio.run(session())


def test_faults(server: Server) -> None:
    async def session() -> None:
        async with AsyncClient(server.url, "another token", retries=0) as client:
            with pytest.raises(ProblemError, match="401"):
                await client.annotate(["gout"])

    asyncio.run(session())


class Slow:
    """A server that answers no request before it is told to."""

    def __init__(self) -> None:
        self.answers = asyncio.Event()
        self.open = 0  # requests that wait
        self.busy = 0  # requests to refuse first
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = b'{"documents": [{"id": "1", "text": "gout", "mentions": []}]}'
        await reader.readuntil(b"\r\n\r\n")
        self.open += 1
        departure = asyncio.ensure_future(self.departure(reader))
        told = asyncio.ensure_future(self.answers.wait())
        await asyncio.wait([departure, told], return_when=asyncio.FIRST_COMPLETED)
        self.open -= 1
        status, more = "200 OK", ""
        if self.busy > 0:
            self.busy -= 1
            status, more = "503 Service Unavailable", "Retry-After: 1\r\n"
        writer.write(f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode())
        writer.write(body)
        writer.close()
        departure.cancel()

    @staticmethod
    async def departure(reader: asyncio.StreamReader) -> None:
        while await reader.read(1000):
            pass


@asynccontextmanager
async def slow_server() -> AsyncIterator[Slow]:
    slow = Slow()
    listening = await asyncio.start_server(slow.answer, "127.0.0.1", 0)
    slow.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    yield slow
    listening.close()


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_cancelled_calls() -> None:
    async def session() -> None:
        async with slow_server() as slow, asyncio.timeout(20), AsyncClient(slow.url) as client:
            calls = [asyncio.create_task(client.link(["gout"])) for _ in range(50)]
            await until(lambda: slow.open == 50)
            for call in calls:
                call.cancel()
            await asyncio.wait(calls)
            assert all(call.cancelled() for call in calls)
            await until(lambda: slow.open == 0)  # the server sees each of them leave
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.annotate(["gout"]), 0.1)
            slow.answers.set()
            assert [d.text for d in await client.link(["gout"])] == ["gout"]

    asyncio.run(session())


def test_more_calls_than_connections() -> None:
    async def session() -> None:
        async with slow_server() as slow, asyncio.timeout(20), AsyncClient(slow.url) as client:
            calls = [asyncio.create_task(client.link(["gout"])) for _ in range(150)]
            await until(lambda: slow.open >= 100)
            slow.answers.set()
            assert len(await asyncio.gather(*calls)) == 150

    asyncio.run(session())


def test_busy_server() -> None:
    async def session() -> None:
        async with slow_server() as slow, asyncio.timeout(20), AsyncClient(slow.url) as client:
            slow.answers.set()
            slow.busy = 1
            started = time.monotonic()
            call = asyncio.create_task(client.link(["gout"]))
            await asyncio.sleep(0.5)  # the loop goes on while the client waits
            assert not call.done() and slow.busy == 0
            assert len(await call) == 1 and time.monotonic() - started >= 1

    asyncio.run(session())


def test_server_that_goes_away() -> None:
    async def session() -> None:
        async with slow_server() as slow, asyncio.timeout(20), AsyncClient(slow.url, timeout=0.2) as client:
            with pytest.raises(CtxnormError, match="POST .*/v1/link: ReadTimeout"):
                await client.link(["gout"])
        with pytest.raises(CtxnormError, match="POST .*/v1/link: "):
            async with AsyncClient(slow.url) as client:
                await client.link(["gout"])

    asyncio.run(session())
