"""The asynchronous client; the one that waits (`_sync.py`) is made from it by `bun run clients`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self

from . import _shared
from ._error import error_of
from ._generated import AsyncOperations


class AsyncIsnad(AsyncOperations):
    """An asynchronous client. `key` is a key, or a token of the environment."""

    def __init__(
        self,
        base_url: str = _shared.BASE_URL,
        *,
        key: str | None = None,
        retries: int = 3,
        timeout_s: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        self._http = httpx.AsyncClient(base_url=base_url, headers=headers, timeout=timeout_s, transport=transport)
        self._retries = retries

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _send(
        self, method: str, path: str, query: Mapping[str, Any], body: object = None, accept: str = "application/json"
    ) -> httpx.Response:
        headers = _shared.headers(path, accept)
        for attempt in range(self._retries + 1):
            try:
                request = self._http.build_request(
                    method, path, params=_shared.query(query), headers=headers, **_shared.content(body)
                )
                response = await self._http.send(request, stream=True)
                if response.is_success:
                    return response
                await response.aread()
                failure = error_of(response)
            except httpx.TransportError as cause:
                failure = _shared.no_answer(cause)
            if attempt == self._retries or not _shared.may_repeat(method, headers, failure):
                raise failure
            await asyncio.sleep(_shared.pause(attempt, failure))
        raise AssertionError("unreachable")

    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        response = await self._send(method, path, query, body)
        try:
            await response.aread()
            return _shared.read(response)
        except httpx.TransportError as cause:
            raise _shared.no_answer(cause) from cause
        finally:
            await response.aclose()

    async def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> AsyncIterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = await self._call(method, path, {**query, "cursor": cursor})
            yield page
            cursor = _shared.cursor(page)
            if cursor is None:
                return

    async def _rows(self, method: str, path: str, query: Mapping[str, Any]) -> AsyncIterator[dict[str, Any]]:
        response = await self._send(method, path, {**query, "format": "jsonl"}, accept="application/x-ndjson")
        try:
            async for line in response.aiter_lines():
                if line:
                    yield json.loads(line)
        finally:
            await response.aclose()

    async def _events(self, path: str, body: Mapping[str, Any]) -> AsyncIterator[dict[str, Any]]:
        response = await self._send("POST", path, {}, {**body, "stream": True}, accept="text/event-stream")
        events = _shared.Events()
        try:
            async for line in response.aiter_lines():
                event = events.add(line)
                if event is not None:
                    yield event
        finally:
            await response.aclose()
