"""The error of every call."""

from __future__ import annotations

import json
from typing import Any

import httpx


class IsnadError(Exception):
    """The platform refused a request, or could not answer it: a problem document (RFC 9457)."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        slug: str,
        errors: dict[str, list[str]] | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status; 0 where no answer came."""
        self.slug = slug
        """What went wrong, of a closed list: `validation-error`, `rate-limit-exceeded`, …"""
        self.errors = errors or {}
        """Messages by field, with 422."""
        self.retry_after = retry_after
        """Seconds after which the same request may succeed."""
        self.request_id = request_id
        """Under which the platform's logs have the request."""


def error_of(response: httpx.Response) -> IsnadError:
    """Return the error that an answer other than a success stands for; its body has been read."""
    problem = problem_of(response.text)
    said = [f"{field} {', '.join(rules)}" for field, rules in problem["errors"].items()]
    retry_after = response.headers.get("retry-after", "")
    return IsnadError(
        "; ".join([f"{response.status_code}: {problem['detail']}", *said]),
        status=response.status_code,
        slug=problem["slug"],
        errors=problem["errors"],
        retry_after=float(retry_after) if retry_after.isdigit() else None,
        request_id=response.headers.get("x-request-id"),
    )


def problem_of(text: str) -> dict[str, Any]:
    """Read a problem document; of anything else, its first line."""
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    problem: dict[str, Any] = given if isinstance(given, dict) else {}
    kind, errors = problem.get("type"), problem.get("errors")
    return {
        "slug": kind.removeprefix("/errors/") if isinstance(kind, str) else "unknown",
        "detail": str(problem.get("detail") or problem.get("title") or text.split("\n", 1)[0][:200]),
        "errors": errors if isinstance(errors, dict) else {},
    }
