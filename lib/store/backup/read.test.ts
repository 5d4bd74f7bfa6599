import { expect, test } from "bun:test";
import { BackupError, readBackup } from "./read.ts";

const MEGABYTE = 1024 * 1024;

/** Megabytes without an end, how many of them were read, and whether they were given up. */
function endless(first = "") {
  const state = { megabytes: 0, closed: false };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      if (first !== "") yield Buffer.from(first);
      while (state.megabytes < 2000) {
        state.megabytes++;
        yield new Uint8Array(MEGABYTE);
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, bytes: bytes() };
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of readBackup(bytes));
}

test("what is no backup is given up at its head, however long it is", async () => {
  const { state, bytes } = endless();
  await expect(readAll(bytes)).rejects.toThrow("is no backup of this platform");
  expect(state.megabytes).toBeLessThan(10);
  expect(state.closed).toBe(true);
});

test("a file whose first line is of something else is not read on", async () => {
  const { state, bytes } = endless('{"format":"other"}\n');
  await expect(readAll(bytes)).rejects.toBeInstanceOf(BackupError);
  expect(state).toEqual({ megabytes: 0, closed: true });
});
