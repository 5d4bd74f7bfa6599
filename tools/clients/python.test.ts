import { expect, test } from "bun:test";
import { syncClient } from "./python.ts";

test("the client that waits has nothing of asyncio, and says the same", () => {
  const source = `"""The asynchronous client."""

import asyncio
import json


class AsyncIsnad(AsyncOperations):
    """An asynchronous client."""

    async def __aenter__(self) -> Self:
        async for line in response.aiter_lines():
            await asyncio.sleep(1)
        await self._http.aclose()
`;
  expect(syncClient(source)).toBe(`# Made by \`bun run clients\` from \`_async.py\`: do not edit.
"""The client that waits."""

import json
import time


class Isnad(Operations):
    """A client that waits."""

    def __enter__(self) -> Self:
        for line in response.iter_lines():
            time.sleep(1)
        self._http.close()
`);
});

test("what it does not know of asyncio is told, not left", () => {
  expect(() => syncClient('"""x"""\nawaitable = 1\n')).toThrow("awaitable");
});
