import { expect, test } from "bun:test";
import type { IngestResult, ItemDraft } from "@isnad/lib/contract";
import { streamItems } from "./stream.ts";

const { signal } = new AbortController();

/** What happens while a stream of `count` items is taken in: batch sizes, and whether the adapter was closed. */
function scene(count: number, failure?: Error) {
  const batches: number[] = [];
  const results: IngestResult[] = [];
  let closed = false;
  async function* items(): AsyncGenerator<ItemDraft, string, void> {
    try {
      for (let n = 0; n < count; n++) yield { external_id: `e-${n}` };
      if (failure) throw failure;
      return "state";
    } finally {
      closed = true;
    }
  }
  return {
    items: items(),
    batches,
    results,
    isClosed: () => closed,
    options: {
      signal,
      admit: async (batch: readonly ItemDraft[]) => {
        batches.push(batch.length);
        return batch.map((): IngestResult => ({ external_id: null, status: "duplicate" }));
      },
      onResults: (some: readonly IngestResult[]) => void results.push(...some),
    },
  };
}

test("items are admitted a hundred at a time, and the rest at the end", async () => {
  const { items, options, batches, results } = scene(230);
  expect(await streamItems(items, options)).toEqual({ complete: true, state: "state" });
  expect(batches).toEqual([100, 100, 30]);
  expect(results).toHaveLength(230);
});

test("no item, no batch", async () => {
  const { items, options, batches } = scene(0);
  expect(await streamItems(items, options)).toEqual({ complete: true, state: "state" });
  expect(batches).toEqual([]);
});

test("at its limit the stream ends without a state, and the adapter is closed", async () => {
  const { items, options, batches, isClosed } = scene(500);
  expect(await streamItems(items, { ...options, max: 120 })).toEqual({ complete: false });
  expect(batches).toEqual([100, 20]);
  expect(isClosed()).toBe(true);
});

test("before an adapter's error is passed on, what it brought is admitted", async () => {
  const { items, options, batches } = scene(110, new Error("gone"));
  const error = await streamItems(items, options).catch((reason: unknown) => reason);
  expect(String(error)).toBe("Error: gone");
  expect(batches).toEqual([100, 10]);
});

test("when the admission fails, that is the error, and the adapter is closed", async () => {
  const { items, options, isClosed } = scene(150);
  const admit = async () => {
    throw new Error("no database");
  };
  const error = await streamItems(items, { ...options, admit }).catch((reason: unknown) => reason);
  expect(String(error)).toBe("Error: no database");
  expect(isClosed()).toBe(true);
});

test("a signal ends it between two items, and admits nothing more", async () => {
  const { items, options, batches, isClosed } = scene(150);
  const stop = new AbortController();
  stop.abort(new Error("stop"));
  const error = await streamItems(items, { ...options, signal: stop.signal }).catch((reason: unknown) => reason);
  expect(String(error)).toBe("Error: stop");
  expect([batches.length, isClosed()]).toEqual([0, true]);
});
