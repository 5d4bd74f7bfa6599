# Made by `bun run clients` from `_async.py`: do not edit.
"""The client that waits."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self

from . import _shared
from ._error import error_of
from ._generated import Operations


class Isnad(Operations):
    """A client that waits. `key` is a key, or a token of the environment."""

    def __init__(
        self,
        base_url: str = _shared.BASE_URL,
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
        headers = _shared.headers(path, accept)
        for attempt in range(self._retries + 1):
            try:
                request = self._http.build_request(
                    method, path, params=_shared.query(query), headers=headers, **_shared.content(body)
                )
                response = self._http.send(request, stream=True)
                if response.is_success:
                    return response
                response.read()
                failure = error_of(response)
            except httpx.TransportError as cause:
                failure = _shared.no_answer(cause)
            if attempt == self._retries or not _shared.may_repeat(method, headers, failure):
                raise failure
            time.sleep(_shared.pause(attempt, failure))
        raise AssertionError("unreachable")

    def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        response = self._send(method, path, query, body)
        try:
            response.read()
            return _shared.read(response)
        except httpx.TransportError as cause:
            raise _shared.no_answer(cause) from cause
        finally:
            response.close()

    def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = self._call(method, path, {**query, "cursor": cursor})
            yield page
            cursor = _shared.cursor(page)
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
        events = _shared.Events()
        try:
            for line in response.iter_lines():
                event = events.add(line)
                if event is not None:
                    yield event
        finally:
            response.close()
