"""The two clients: how a request is sent, tried again, and read."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self

from ._error import IsnadError, error_of, problem_of
from ._generated import AsyncOperations, Operations

BASE_URL = "http://127.0.0.1:8080"
INGEST_PATH = "/v1/ingest/articles"
MAX_PAUSE_S = 30.0
REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE"})


def _query(given: Mapping[str, Any]) -> dict[str, str]:
    def text(value: object) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    return {name: text(value) for name, value in given.items() if value is not None}


def _headers(path: str, accept: str) -> dict[str, str]:
    headers = {"accept": accept}
    if path == INGEST_PATH:
        headers["idempotency-key"] = str(uuid.uuid4())
    return headers


def _content(body: object) -> dict[str, Any]:
    if body is None:
        return {}
    return {"content": body} if isinstance(body, bytes) else {"json": body}


def _may_repeat(method: str, headers: Mapping[str, str], error: IsnadError) -> bool:
    """Tell whether a request was refused for now, or does nothing twice."""
    if error.status == 429:
        return True
    repeatable = method in REPEATABLE or "idempotency-key" in headers
    return repeatable and error.status in (0, 503)


def _pause(attempt: int, error: IsnadError) -> float:
    after = error.retry_after
    return min(MAX_PAUSE_S, 2**attempt * (0.5 + random.random()) if after is None else after)


def _read(response: httpx.Response) -> Any:
    if response.status_code == 204 or not response.content:
        return None
    is_json = "json" in response.headers.get("content-type", "")
    return response.json() if is_json else response.text


def _cursor(page: Any) -> str | None:
    if not isinstance(page, dict):
        return None
    meta = page.get("meta")
    cursor = page.get("next_cursor") or (meta.get("next_cursor") if isinstance(meta, dict) else None)
    return cursor if isinstance(cursor, str) else None


class _Events:
    """Puts the lines of a stream together to events."""

    def __init__(self) -> None:
        self._event, self._data = "message", list[str]()

    def add(self, line: str) -> dict[str, Any] | None:
        if line.startswith("event:"):
            self._event = line[6:].strip()
        elif line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        if line != "":
            return None
        text, event = "\n".join(self._data), self._event
        self._event, self._data = "message", []
        if text in ("", "[DONE]"):
            return None
        if event == "error":
            problem = problem_of(text)
            raise IsnadError(problem["detail"], status=503, slug=problem["slug"], errors=problem["errors"])
        return {"event": event, "data": json.loads(text)}


def _no_answer(cause: httpx.HTTPError) -> IsnadError:
    return IsnadError(f"no answer came: {cause}", status=0, slug="no-answer")


class Isnad(Operations):
    """A client that waits. `key` is a key, or a token of the environment."""

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        key: str | None = None,
        retries: int = 3,
        timeout_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=base_url, headers=headers, timeout=timeout_s, transport=transport)
        self._retries = retries

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(
        self, method: str, path: str, query: Mapping[str, Any], body: object = None, accept: str = "application/json"
    ) -> httpx.Response:
        headers = _headers(path, accept)
        for attempt in range(self._retries + 1):
            try:
                request = self._http.build_request(
                    method, path, params=_query(query), headers=headers, **_content(body)
                )
                response = self._http.send(request, stream=True)
                if response.is_success:
                    return response
                response.read()
                failure = error_of(response)
            except httpx.TransportError as cause:
                failure = _no_answer(cause)
            if attempt == self._retries or not _may_repeat(method, headers, failure):
                raise failure
            time.sleep(_pause(attempt, failure))
        raise AssertionError("unreachable")

    def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        response = self._send(method, path, query, body)
        try:
            response.read()
            return _read(response)
        except httpx.TransportError as cause:
            raise _no_answer(cause) from cause
        finally:
            response.close()

    def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = self._call(method, path, {**query, "cursor": cursor})
            yield page
            cursor = _cursor(page)
            if cursor is None:
                return

    def _rows(self, method: str, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        response = self._send(method, path, {**query, "format": "jsonl"}, accept="application/x-ndjson")
        try:
            for line in response.iter_lines():
                if line:
                    yield json.loads(line)
        finally:
            response.close()

    def _events(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        response = self._send("POST", path, {}, {**body, "stream": True}, accept="text/event-stream")
        events = _Events()
        try:
            for line in response.iter_lines():
                event = events.add(line)
                if event is not None:
                    yield event
        finally:
            response.close()


class AsyncIsnad(AsyncOperations):
    """A client for asyncio. `key` is a key, or a token of the environment."""

    def __init__(
        self,
        base_url: str = BASE_URL,
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
        headers = _headers(path, accept)
        for attempt in range(self._retries + 1):
            try:
                request = self._http.build_request(
                    method, path, params=_query(query), headers=headers, **_content(body)
                )
                response = await self._http.send(request, stream=True)
                if response.is_success:
                    return response
                await response.aread()
                failure = error_of(response)
            except httpx.TransportError as cause:
                failure = _no_answer(cause)
            if attempt == self._retries or not _may_repeat(method, headers, failure):
                raise failure
            await asyncio.sleep(_pause(attempt, failure))
        raise AssertionError("unreachable")

    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        response = await self._send(method, path, query, body)
        try:
            await response.aread()
            return _read(response)
        except httpx.TransportError as cause:
            raise _no_answer(cause) from cause
        finally:
            await response.aclose()

    async def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> AsyncIterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = await self._call(method, path, {**query, "cursor": cursor})
            yield page
            cursor = _cursor(page)
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
        events = _Events()
        try:
            async for line in response.aiter_lines():
                event = events.add(line)
                if event is not None:
                    yield event
        finally:
            await response.aclose()
