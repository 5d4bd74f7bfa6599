import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openThreads } from "@isnad/lib/service/threads";
import { type Stack, startStack } from "../e2e/faults/stack.ts";
import type { start } from "./edge-clients.ts";
import { usageOfProcesses } from "./processes.ts";
import { type Figure, interleaved, median, quantile } from "./rounds.ts";

const WARM_UP = 200;
const ROUNDS = 1_000;

/** Requests of the load on /livez at a time, and for how long, in milliseconds. */
const LOAD_CLIENTS = 16;
const LOAD_MS = 4_000;
const STREAMS = 50;

const CHAT = JSON.stringify({ messages: [{ role: "user", content: "What happened in the harbour?" }] });

/**
 * Measures one door: what a request takes through the api's port against the port of its service, in turn; how many
 * requests for `/livez` the api answers; and whether fifty answers at a time end, the api in a process of its own.
 */
export async function door(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-door-"));
  const env = { LOG_LEVEL: "error", DEMO: "false" };
  const stack = await startStack(dataDir, env, ["api", "workers", "retrieval", "nlp", "edge"]);
  try {
    const { api = "", nlp = "", retrieval = "" } = stack.info().urls;
    const word = "/lemmas?en=harbour&limit=1";
    return [
      await way("GET /nlp/livez", `${nlp}/livez`, `${api}/nlp/livez`),
      await way("GET /nlp/lemmas", `${nlp}${word}`, `${api}/nlp${word}`),
      await way("GET /retrieval/suggest", `${retrieval}/suggest?q=a`, `${api}/retrieval/suggest?q=a`),
      await load(stack),
      await streams(stack),
    ];
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Measures what the way through the door adds to a request. */
async function way(name: string, direct: string, through: string): Promise<Figure> {
  const get = async (url: string) => {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  };
  const contenders = [
    { name: "direct", run: () => get(direct) },
    { name: "through", run: () => get(through) },
  ];
  const times = await interleaved(contenders, { rounds: ROUNDS, warmup: WARM_UP });
  const [alone = [], passed = []] = [times.get("direct"), times.get("through")];
  const detail = `${median(alone).toFixed(2)} direct, ${median(passed).toFixed(2)} through, p95 ${quantile(passed, 0.95).toFixed(2)}`;
  return {
    ...{ name: `door: ms that it adds to ${name}, median`, value: median(passed) - median(alone) },
    ...{ bound: { atMost: 1 }, detail },
  };
}

/** Counts the requests that the api answers in a second of its processor time: a busy machine takes nothing from it. */
async function load(stack: Stack): Promise<Figure> {
  const clients = openThreads<typeof start>({ name: "clients", url: new URL("./edge-clients.ts", import.meta.url) });
  try {
    const url = `${stack.info().urls.api}/livez`;
    const pids = Object.entries(stack.info().pids).flatMap(([name, pid]) => (name === "api" ? [pid] : []));
    await clients.call("load", { url, count: LOAD_CLIENTS, ms: LOAD_MS / 4 });
    const before = usageOfProcesses(pids).cpuS;
    const byClock = await clients.call("load", { url, count: LOAD_CLIENTS, ms: LOAD_MS });
    const perSecond = (byClock * LOAD_MS) / 1000 / (usageOfProcesses(pids).cpuS - before);
    const detail = `by the clock ${Math.round(byClock)}, ${LOAD_CLIENTS} clients on the same machine`;
    return {
      name: "door: /livez a second of the api's processor",
      value: perSecond,
      bound: { atLeast: 2_000 },
      detail,
    };
  } finally {
    await clients.close();
  }
}

/** Counts the streams that do not end as they should. */
async function streams(stack: Stack): Promise<Figure> {
  const clients = openThreads<typeof start>({ name: "clients", url: new URL("./edge-clients.ts", import.meta.url) });
  try {
    const headers = { "content-type": "application/json" };
    const url = `${stack.info().urls.api}/chat/completions`;
    await clients.call("ends", { url, headers, body: CHAT, count: 1 });
    const startedAt = performance.now();
    const ends = await clients.call("ends", { url, headers, body: CHAT, count: STREAMS });
    const detail = `${((performance.now() - startedAt) / 1000).toFixed(1)} s for all`;
    const wrong = ends.filter((count) => count !== 1).length;
    return { name: `door: ${STREAMS} streams, those without one end`, value: wrong, bound: { atMost: 0 }, detail };
  } finally {
    await clients.close();
  }
}
