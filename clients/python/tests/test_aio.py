from __future__ import annotations

import asyncio

import pytest

from ctxnorm_client import AsyncClient, Problem, ProblemError, Server


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
