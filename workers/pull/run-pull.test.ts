import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { IngestResult, ItemDraft } from "@isnad/lib/contract";
import { aborted, performLeased } from "@isnad/lib/service/process";
import type { Store } from "@isnad/lib/store";
import { openPullBench, pullItem } from "../testing/pulls.ts";
import { type Adapter, PullError } from "./adapter.ts";
import { admitBatch, type PullDeps, pullWork, runPull, SourceBusyError, streamItems } from "./run-pull.ts";

describe("run pull", async () => {
  setDefaultTimeout(300_000);

  const bench = await openPullBench();
  const { store, deps, source, query } = bench;
  const { signal } = new AbortController();

  afterAll(() => bench.close());

  /** An adapter that yields valid items of these ids, and returns `state`. */
  const yields = (ids: readonly string[], state?: string): Adapter =>
    async function* scripted(of) {
      for (const id of ids) yield pullItem(of, id);
      return state;
    };

  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `e-${from + n}`);

  /** Claims a pull and does it; how that ended, and the record of then. */
  async function pullNext(over: PullDeps, stop: AbortSignal) {
    const work = pullWork(over);
    const owner = crypto.randomUUID();
    const taken = await work.claim(owner);
    if (taken === undefined) throw new Error("there is no pull");
    const { end } = await performLeased(work, { taken, owner }, over, stop);
    return { end, record: await store.pulls.get(taken.run.runId) };
  }

  /** The identifiers of what is stored of a source, in order; one stored twice would be there twice. */
  async function stored(key: string): Promise<unknown[]> {
    const rows = await query("select external_id from articles where source_id = $1", key);
    return rows.map(({ external_id }) => external_id).toSorted();
  }

  test("the items of an adapter are admitted, counted and recorded, and jobs are queued for the new ones", async () => {
    const of = await source();
    const before = bench.queuedIds.length;
    const progress: number[] = [];
    const first = await runPull(of, deps({ scripted: yields(ids(0, 250)) }), {
      signal,
      onProgress: ({ discovered }) => progress.push(discovered),
    });
    expect(first).toMatchObject({ status: "succeeded", counts: { discovered: 250, accepted: 250, duplicate: 0 } });
    expect(progress).toEqual([100, 200, 250]);
    expect(await stored(of.key)).toEqual(ids(0, 250).toSorted());
    expect(bench.queuedIds.length - before).toBe(250);
    const again = await runPull(of, deps({ scripted: yields(ids(200, 260)) }), { signal });
    expect(again.counts).toMatchObject({ discovered: 60, accepted: 10, duplicate: 50 });
    expect(bench.queuedIds.length - before).toBe(260);
    const [record] = await store.pulls.list({ sourceKey: of.key });
    expect(record).toMatchObject({ runId: again.runId, status: "succeeded", counts: again.counts, error: null });
  });

  test("an article that changed at its source is set aside, counted as conflict and kept as a revision; the others are admitted at once", async () => {
    const of = await source();
    const older = async function* () {
      yield pullItem(of, "changing", { content: "As it was first written. ".repeat(12) });
      return undefined;
    };
    await runPull(of, deps({ scripted: older }), { signal });
    const outcome = await runPull(of, deps({ scripted: yields(["a", "changing", "b"]) }), { signal });
    expect(outcome).toMatchObject({ status: "succeeded", counts: { accepted: 2, conflict: 1, failed: 0 } });
    expect(await stored(of.key)).toEqual(["a", "b", "changing"]);
    const [kept] = await query("select * from articles where source_id = $1 and external_id = 'changing'", of.key);
    expect(kept?.content).toStartWith("As it was first written.");
    const page = await store.revisions.list(Number(kept?.article_id), { limit: 5 });
    expect(page?.revisions).toMatchObject([{ revision: 2, kind: "changed", sourceId: of.key }, { revision: 1 }]);
  });

  test("two versions of one article in a batch: one of them is admitted, the other conflicts", async () => {
    const of = await source();
    const twice = async function* () {
      yield pullItem(of, "x");
      yield pullItem(of, "x", { content: "Quite another text under the same name. ".repeat(8) });
      yield pullItem(of, "y");
      return undefined;
    };
    const { counts } = await runPull(of, deps({ scripted: twice }), { signal });
    expect(counts).toEqual({ discovered: 3, accepted: 2, duplicate: 0, conflict: 1, failed: 0 });
    expect(await stored(of.key)).toEqual(["x", "y"]);
  });

  test("items that are not valid fail one by one, with the reasons in the record", async () => {
    const of = await source();
    const mixed = async function* () {
      yield pullItem(of, "good");
      yield pullItem(of, "short", { content: "Too short." });
      yield pullItem(of, "shorter", { content: "" });
      yield pullItem(of, "nowhere", { url: "ftp://news.example/1" });
      return undefined;
    };
    const outcome = await runPull(of, deps({ scripted: mixed }), { signal });
    expect(outcome).toMatchObject({ status: "partial", counts: { accepted: 1, failed: 3 } });
    expect(outcome.error).toBe("3 of 4 items failed: 2 content-too-short, 1 invalid-url");
  });

  test("an adapter that fails in the middle: what it had brought is admitted, the error recorded, the lock given back", async () => {
    const of = await source();
    const failing: Adapter = async function* () {
      for (const id of ids(0, 130)) yield pullItem(of, id);
      throw new PullError("the site went away");
    };
    const outcome = await runPull(of, deps({ scripted: failing }), { signal });
    expect(outcome).toMatchObject({ status: "partial", error: "the site went away", counts: { accepted: 130 } });
    expect(await stored(of.key)).toEqual(ids(0, 130).toSorted());
    expect(await store.pulls.get(outcome.runId)).toMatchObject({ status: "partial", error: "the site went away" });
    expect(await store.pulls.state(of.key)).toBeUndefined();
    const next = await runPull(of, deps({ scripted: yields(ids(0, 140)) }), { signal });
    expect(next.counts).toMatchObject({ duplicate: 130, accepted: 10 });
  });

  test("an adapter that brings nothing but an error makes a failed pull", async () => {
    const of = await source();
    // biome-ignore lint/correctness/useYield: it fails before its first item
    const broken: Adapter = async function* () {
      throw new PullError("the feed answers 410");
    };
    expect(await runPull(of, deps({ scripted: broken }), { signal })).toMatchObject({ status: "failed" });
  });

  test("of two orchestrators that pull one source at once, one does and the other is told so", async () => {
    const of = await source();
    const gate = Promise.withResolvers<void>();
    let refused = 0;
    const slow: Adapter = async function* () {
      yield pullItem(of, "only");
      await gate.promise;
      return undefined;
    };
    const attempts = ["a", "b", "c"].map((instance) =>
      runPull(of, deps({ scripted: slow }, { instance }), { signal }).catch((error: unknown) => {
        refused += 1;
        if (refused === 2) gate.resolve();
        return error;
      }),
    );
    const ends = await Promise.all(attempts);
    const busy = ends.filter((end) => end instanceof SourceBusyError);
    const [done] = ends.filter((end) => !(end instanceof Error));
    expect(busy).toHaveLength(2);
    expect(done).toMatchObject({ status: "succeeded", counts: { accepted: 1 } });
    expect(busy[0]).toMatchObject({ message: expect.stringContaining(of.key), running: { sourceKey: of.key } });
    expect(await runPull(of, deps({ scripted: yields([]) }), { signal })).toMatchObject({ status: "succeeded" });
  });

  test("a provider that nobody serves is an error that names it and the source, and leaves no record", async () => {
    const of = await source({ provider: "telepathy" });
    const error = await runPull(of, deps({ scripted: yields([]) }), { signal }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "UnsupportedProviderError", provider: "telepathy", sourceKey: of.key });
    expect(String(error)).toContain(`source "${of.key}" has the unsupported provider "telepathy"`);
    expect(await store.pulls.list({ sourceKey: of.key })).toEqual([]);
  });

  test("asked for and taken, the same is in the record of the pull", async () => {
    const of = await source({ provider: "telepathy" });
    const { run } = await store.pulls.request({ sourceKey: of.key, provider: of.provider, trigger: "cli" });
    const { record } = await pullNext(deps({ scripted: yields([]) }), signal);
    expect(record).toMatchObject({ runId: run.runId, status: "failed" });
    expect(record?.error).toContain(`source "${of.key}" has the unsupported provider "telepathy"`);
  });

  test("what a complete pull returns is given to the next one; one that stops at its limit leaves it as it was", async () => {
    const of = await source();
    const seen: unknown[] = [];
    const remembering: Adapter = async function* (_, { state }) {
      seen.push(state);
      for (const id of ids(0, 5)) yield pullItem(of, id);
      return { round: seen.length };
    };
    const adapters = { scripted: remembering };
    await runPull(of, deps(adapters), { signal });
    const limited = await runPull(of, deps(adapters), { signal, options: { max: 3 } });
    expect(limited.counts.discovered).toBe(3);
    await runPull(of, deps(adapters), { signal });
    expect(seen).toEqual([undefined, { round: 1 }, { round: 1 }]);
  });

  test("a pull that another process has taken over ends, and leaves the record alone", async () => {
    const of = await source();
    const waiting: Adapter = async function* (_, context) {
      yield pullItem(of, "first");
      await query(
        "update pull_runs set lease_owner = 'another', lease_until = now() + interval '1 hour' where source_key = $1",
        of.key,
      );
      await aborted(context.signal);
      yield pullItem(of, "second");
      return "done";
    };
    const outcome = await runPull(of, deps({ scripted: waiting }, { leaseS: 0.45 }), { signal });
    expect(outcome.status).toBe("lost");
    expect(await store.pulls.get(outcome.runId)).toMatchObject({ status: "running", finishedAt: null });
    expect(await stored(of.key)).not.toContain("second");
  });

  test("stopped in the middle, a pull that was taken is given back, and whoever takes it next completes it", async () => {
    const of = await source();
    const { run } = await store.pulls.request({ sourceKey: of.key, provider: of.provider, trigger: "cli" });
    const stop = new AbortController();
    const stoppable: Adapter = async function* (_, context) {
      for (const id of ids(0, 100)) yield pullItem(of, id);
      stop.abort(new Error("the worker stops"));
      context.signal.throwIfAborted();
      return undefined;
    };
    const stopped = await pullNext(deps({ scripted: stoppable }), stop.signal);
    expect(stopped).toMatchObject({ end: "released", record: { runId: run.runId, status: "queued", attempts: 0 } });
    const next = await pullNext(deps({ scripted: yields(ids(0, 120), "end") }), signal);
    expect(next).toMatchObject({
      end: "settled",
      record: { runId: run.runId, status: "succeeded", attempts: 1, counts: { accepted: 20, duplicate: 100 } },
    });
    expect(await stored(of.key)).toEqual(ids(0, 120).toSorted());
  });

  test("interrupted by its operator, a pull is recorded as such and its source is free", async () => {
    const of = await source();
    const stop = new AbortController();
    const interrupted: Adapter = async function* (_, context) {
      yield pullItem(of, "a");
      stop.abort();
      context.signal.throwIfAborted();
      return undefined;
    };
    const outcome = await runPull(of, deps({ scripted: interrupted }), { signal: stop.signal });
    expect(await store.pulls.get(outcome.runId)).toMatchObject({ status: "failed", error: "interrupted" });
    expect(outcome).toMatchObject({ complete: false, error: "interrupted" });
    expect(await runPull(of, deps({ scripted: yields(["a"]) }), { signal })).toMatchObject({ status: "succeeded" });
  });

  test("one line is logged a pull, with its counts and without a word of an article", async () => {
    const of = await source();
    const outcome = await runPull(of, deps({ scripted: yields(["a"]) }), { signal });
    const lines = bench.lines.filter(({ run_id }) => run_id === outcome.runId);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ msg: "pull", source: of.key, provider: "scripted", accepted: 1 });
    expect(JSON.stringify(lines)).not.toContain("harbour");
  });
});

describe("admit batch", async () => {
  setDefaultTimeout(300_000);

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
    const results = await admitBatch(
      items("away", 3),
      { store: away.store, thread, requireKnownSource: false },
      signal,
    );
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
});

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
