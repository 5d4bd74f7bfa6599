import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Store } from "@isnad/lib/store";
import { openPullBench, pullItem } from "../testing/pulls.ts";
import { admitBatch } from "./admit-batch.ts";

setDefaultTimeout(60_000);

const bench = await openPullBench();
const { signal } = new AbortController();
const { thread, store } = bench.deps({});

afterAll(() => bench.close());

const items = (key: string, count: number) => Array.from({ length: count }, (_, n) => pullItem({ key }, `e-${n}`));

/** The store, whose next `times` admissions find no database. */
function awayAtFirst(times: number): { store: Pick<Store, "admission" | "revisions">; asked: () => number } {
  let asked = 0;
  const admit: Store["admission"]["admit"] = async (...given) => {
    asked += 1;
    if (asked <= times) throw Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
    return await store.admission.admit(...given);
  };
  return { store: { admission: { ...store.admission, admit }, revisions: store.revisions }, asked: () => asked };
}

test("a database that is away for a moment is asked again", async () => {
  const away = awayAtFirst(1);
  const results = await admitBatch(items("away", 3), { store: away.store, thread, requireKnownSource: false }, signal);
  expect(results.map(({ status }) => status)).toEqual(["accepted", "accepted", "accepted"]);
  expect(away.asked()).toBe(2);
});

test("once the pull has to stop, it is not waited for", async () => {
  const stop = new AbortController();
  stop.abort();
  const away = awayAtFirst(1);
  const deps = { store: away.store, thread, requireKnownSource: false };
  const error = await admitBatch(items("stopped", 1), deps, stop.signal).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  expect(away.asked()).toBe(1);
});

test("where only known sources may bring articles, items of others fail", async () => {
  const known = await bench.source();
  const given = [...items(known.key, 1), ...items("stranger", 1)];
  const results = await admitBatch(given, { store, thread, requireKnownSource: true }, signal);
  expect(results.map(({ status, error }) => [status, error?.type])).toEqual([
    ["accepted", undefined],
    ["failed", "/errors/unknown-source"],
  ]);
});

test("several conflicts among many items: each is set aside, every other item is decided, in the given order", async () => {
  const before = items("mixed", 6);
  await admitBatch(before, { store, thread, requireKnownSource: false }, signal);
  const changed = (n: number) =>
    pullItem({ key: "mixed" }, `e-${n}`, { content: `Rewritten from start to end ${n}. `.repeat(10) });
  const given = [
    changed(0),
    before[1],
    pullItem({ key: "mixed" }, "new-1"),
    changed(2),
    "nonsense",
    changed(3),
    before[4],
  ];
  const results = await admitBatch(given, { store, thread, requireKnownSource: false }, signal);
  expect(results.map(({ status }) => status)).toEqual([
    "conflict",
    "duplicate",
    "accepted",
    "conflict",
    "failed",
    "conflict",
    "duplicate",
  ]);
});
