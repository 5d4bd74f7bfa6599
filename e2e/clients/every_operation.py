"""Calls every operation by both Python clients, and tells what did not answer as its document says."""

import asyncio
import inspect
import json
import keyword
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from isnad import AsyncIsnad, Isnad, IsnadError


def method_of(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def arguments_of(method: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """What a method takes of an input; the rest is its body."""
    named = {
        f"{name}_" if keyword.iskeyword(name) else re.sub(r"\W", "_", name): value for name, value in given.items()
    }
    known = inspect.signature(method).parameters
    rest = {name: value for name, value in given.items() if name not in known and f"{name}_" not in known}
    taken = {name: value for name, value in named.items() if name in known}
    return {**taken, "body": rest} if "body" in known and "body" not in taken else taken


def main(path: str) -> None:
    plan = json.loads(Path(path).read_text())
    wrong = 0

    def judge(case: dict[str, Any], error: IsnadError) -> None:
        nonlocal wrong
        if error.status not in case["statuses"]:
            wrong += 1
            print(case["id"], error)

    with Isnad(plan["url"], key=plan["key"], retries=1) as isnad:
        for case in plan["cases"]:
            try:
                method = getattr(isnad, method_of(case["id"]))
                method(**arguments_of(method, case["input"]))
            except IsnadError as error:
                judge(case, error)

    async def again() -> None:
        async with AsyncIsnad(plan["url"], key=plan["key"], retries=1) as client:
            for case in plan["cases"]:
                try:
                    method = getattr(client, method_of(case["id"]))
                    await method(**arguments_of(method, case["input"]))
                except IsnadError as error:
                    judge(case, error)

    asyncio.run(again())
    print(f"{len(plan['cases'])} operations, {wrong} wrong")


main(sys.argv[1])
