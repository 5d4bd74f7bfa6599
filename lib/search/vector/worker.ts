import { parentPort, workerData } from "node:worker_threads";
import { VectorEngine } from "./engine.ts";
import type { Call, CallName, Handlers, ThreadData } from "./protocol.ts";
import { loadSnapshot, saveSnapshot } from "./snapshot.ts";

const port = parentPort;
if (port === null) throw new Error("worker.ts runs only as a Worker");

/** Work done at a time between calls, in ms: as long as a search may have to wait for it. */
const SLICE_MS = 4;

const data: ThreadData = workerData;
const { dir } = data;
let { key } = data;
/** Serves searches. */
let engine = new VectorEngine(key.dims);
/** Takes changes: another one than `engine` only between a restart and its adoption. */
let building = engine;
/** Settles when nothing reads the tables to write them to disk; changes wait for it. */
let saving: Promise<unknown> = Promise.resolve();
let scheduled = false;
let frozen = false;

/** Links and measures in slices, letting calls in between. */
function background(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    if (!frozen && (building.link(SLICE_MS) || building.calibration.step())) background();
  });
}

const handlers: Handlers = {
  async load() {
    const loaded = await loadSnapshot(dir, key);
    engine = building = loaded.engine ?? new VectorEngine(key.dims);
    background();
    return { seq: engine.seq, dropped: loaded.engine === undefined ? loaded.dropped : undefined };
  },
  async restart(ask) {
    key = ask.key;
    building = new VectorEngine(key.dims);
    return { seq: 0 };
  },
  async adopt() {
    engine = building;
    return {};
  },
  async apply({ changes, seq }) {
    while (frozen) await saving;
    const applied = building.apply(changes, seq);
    background();
    return applied;
  },
  async tiers({ tiers }) {
    engine.articles.setTiers(tiers);
    building.articles.setTiers(tiers);
    return {};
  },
  search: async ({ vector, k, filters }) => engine.search(vector, k, filters),
  save: async () => ({ saved: await save() }),
  async status() {
    const { depth, recall } = engine.calibration;
    const { tables, graph } = engine.bytes();
    return {
      articles: engine.articles.size,
      chunks: engine.rows.size,
      linked: engine.graph.size,
      depth: depth ?? null,
      recall: Number.isNaN(recall) ? null : recall,
      bytes: tables + graph,
    };
  },
  async close() {
    // Native calls happen only within a turn of this loop, so none is running when the thread ends.
    frozen = true;
    return {};
  },
};

async function save(): Promise<boolean> {
  while (frozen) await saving;
  if (engine !== building) return false;
  frozen = true;
  const done = saveSnapshot(dir, engine, key);
  saving = done.catch(() => undefined);
  try {
    return await done;
  } finally {
    frozen = false;
    background();
  }
}

/** Calls in work, whose answers go out before the thread ends. */
const working = new Set<Promise<void>>();

async function handle<N extends CallName>({ id, name, ask }: Call<N>): Promise<void> {
  if (name === "close") await Promise.all(working);
  try {
    port?.postMessage({ id, name, answer: await handlers[name](ask) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    port?.postMessage({ id, name, error: message, range: error instanceof RangeError });
  }
  if (name === "close") port?.close();
}

port.on("message", (call: Call) => {
  const handled = handle(call);
  working.add(handled);
  void handled.then(() => working.delete(handled));
});
