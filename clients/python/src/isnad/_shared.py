"""What both clients share: how a request is written, when it is tried again, and how an answer is read."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping
from typing import Any

import httpx

from ._error import IsnadError, problem_of

BASE_URL = "http://127.0.0.1:8080"
INGEST_PATH = "/v1/ingest/articles"
MAX_PAUSE_S = 30.0
REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE"})


def query(given: Mapping[str, Any]) -> dict[str, str]:
    def text(value: object) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    return {name: text(value) for name, value in given.items() if value is not None}


def headers(path: str, accept: str) -> dict[str, str]:
    headers = {"accept": accept}
    if path == INGEST_PATH:
        headers["idempotency-key"] = str(uuid.uuid4())
    return headers


def content(body: object) -> dict[str, Any]:
    if body is None:
        return {}
    return {"content": body} if isinstance(body, bytes) else {"json": body}


def may_repeat(method: str, headers: Mapping[str, str], error: IsnadError) -> bool:
    """Tell whether a request was refused for now, or does nothing twice."""
    if error.status == 429:
        return True
    repeatable = method in REPEATABLE or "idempotency-key" in headers
    return repeatable and error.status in (0, 503)


def pause(attempt: int, error: IsnadError) -> float:
    after = error.retry_after
    return min(MAX_PAUSE_S, 2**attempt * (0.5 + random.random()) if after is None else after)


def read(response: httpx.Response) -> Any:
    if response.status_code == 204 or not response.content:
        return None
    is_json = "json" in response.headers.get("content-type", "")
    return response.json() if is_json else response.text


def cursor(page: Any) -> str | None:
    if not isinstance(page, dict):
        return None
    meta = page.get("meta")
    cursor = page.get("next_cursor") or (meta.get("next_cursor") if isinstance(meta, dict) else None)
    return cursor if isinstance(cursor, str) else None


class Events:
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


def no_answer(cause: httpx.HTTPError) -> IsnadError:
    return IsnadError(f"no answer came: {cause}", status=0, slug="no-answer")
