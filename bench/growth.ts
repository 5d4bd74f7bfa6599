import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseFacts, embeddedUrl } from "@isnad/lib/store";
import { type Stack, startStack } from "../e2e/faults/stack.ts";
import { seeded } from "../lib/std/random.ts";
import { type EngineUnderTrial, openSearchNodes } from "../e2e/faults/engine.ts";
import { dataFolder, readJsonLines } from "../eval/retrieval-sets.ts";
import { gauge, type Usage, usage, usageOfProcesses } from "./processes.ts";
import { type Figure, quantile } from "./rounds.ts";

/** An article as the ingest route takes it. */
type Posted = { source_id: string; external_id: string; url: string; title: string; content: string };

/** Real articles, cut into sentences. */
type Pool = { titles: string[]; sentences: string[][] };

/** Real articles that are read of each language. */
const READ = 4_000;

/**
 * Makes any number of articles out of the real ones of `folder`: article `n` has the title of one, with a word of
 * another, and sentences of three, as many as a real one has. Half are Arabic; no two are the same, and the same number
 * gives the same article.
 */
export function recombined(folder: string): (n: number) => Posted {
  const pools = ["ant_v1_ar.jsonl", "english.jsonl"].map((file) => pool(`${folder}/news/${file}`));
  return (n) => {
    const random = seeded(n + 1);
    const { titles, sentences } = pools[n % 2] ?? { titles: [], sentences: [] };
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const [length, ...parts] = [pick(sentences), pick(sentences), pick(sentences), pick(sentences)];
    const words = (pick(titles) ?? "").split(" ");
    const chosen = parts.flatMap((part) => part ?? []).filter(() => random() < 0.5);
    const content = [...chosen.slice(0, Math.max(4, length?.length ?? 0)), `(${n})`].join(" ");
    return {
      source_id: `growth-${n % 40}`,
      external_id: String(n),
      url: `https://news${n % 40}.example/${n}`,
      title: `${pick(titles) ?? ""} ${words[0] ?? ""}`.slice(0, 400),
      content: content.length >= 200 ? content : content.padEnd(220, ` ${words.join(" ")}`),
    };
  };
}

function pool(file: string): Pool {
  const rows = readJsonLines(file)
    .slice(0, READ)
    .flatMap(({ title, text }) =>
      typeof title === "string" && typeof text === "string" && text.length > 300
        ? [{ title, text: text.replaceAll(/\s+/g, " ") }]
        : [],
    );
  return {
    titles: rows.map(({ title }) => title),
    sentences: rows.map(({ text }) => text.split(/(?<=[.!?؟])\s+/)),
  };
}

/** Articles in one request, and requests at a time. */
const BATCH = 100;
const IN_FLIGHT = 4;

const SEARCHES = 200;
const MODES = ["bm25", "vector", "hybrid"] as const;

type Make = ReturnType<typeof recombined>;

/**
 * Measures whole stacks over 10,000 articles and more (`BENCH_SIZES`, comma-separated), with the embedded engines or,
 * with `BENCH_ENGINE=opensearch`, one node of OpenSearch: each is filled over HTTP, weighed, stopped and started,
 * searched, and at last left to make its indexes again. Prints a table; there is no bound to keep. Processor time of
 * services is what a busy machine changes least.
 */
export async function growth(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) throw new Error("the news are not at hand: set ISNAD_SHARED to the folder of the data");
  const make = recombined(folder);
  const rows: Record<string, string>[] = [];
  for (const size of (process.env.BENCH_SIZES ?? "10000").split(",").map(Number)) {
    const dir = mkdtempSync(join(tmpdir(), "isnad-growth-"));
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const engine =
      process.env.BENCH_ENGINE === "opensearch" ? await openSearchNodes(join(dir, "engine"), 1, say) : undefined;
    try {
      rows.push(await measure({ size, make, dataDir: join(dir, "data"), engine }));
    } catch (error) {
      say(`failed; what it left is in ${dir}`);
      throw error;
    } finally {
      await engine?.stop();
    }
    rmSync(dir, { recursive: true, force: true });
    print(rows);
  }
  return [];
}

type Measured = { size: number; make: Make; dataDir: string; engine: EngineUnderTrial | undefined };

async function measure({ size, make, dataDir, engine }: Measured): Promise<Record<string, string>> {
  const scale = process.env.BENCH_SCALE;
  const env = { LOG_LEVEL: "warn", ...(scale !== undefined && { UP_SCALE: scale }), ...engine?.env };
  let stack = await startStack(dataDir, env);
  const before = engine && usageOfProcesses(engine.pids());
  // An article whose language is neither Arabic nor English is set aside, as it should be.
  const least = Math.floor(size * 0.98);
  try {
    const postedS = await timed(`${size} articles posted`, () => post(stack, size, make));
    const filledS = postedS + (await timed("found by both branches", () => found(stack, least)));
    const filling = usage(stack);
    const engineS = engine && usageOfProcesses(engine.pids()).cpuS - (before?.cpuS ?? 0);
    const cpu = {
      "processor ms an article: workers / PostgreSQL / retrieval / api": ["workers", "postgres", "retrieval", "api"]
        .map((service) => ((totalOf(filling, service, "cpuS") / size) * 1000).toFixed(2))
        .join(" / "),
      ...(engineS !== undefined && { "processor ms an article: OpenSearch": ((engineS / size) * 1000).toFixed(2) }),
    };
    process.stderr.write(`${JSON.stringify(cpu)}\n`);
    const { bytes } = await databaseFacts((await embeddedUrl(dataDir)) ?? "");
    await stack.stop();
    const disk = engine
      ? await clusterBytes(engine)
      : { keyword: folderBytes(join(dataDir, "keyword")), vectors: folderBytes(join(dataDir, "vectors")) };
    const startS = await timed("started again", async () => {
      stack = await startStack(dataDir, env);
      await found(stack, least);
    });
    const times: Record<string, string> = {};
    // Code is compiled by searches for other titles.
    for (const mode of MODES) await search(stack, mode, size, (n) => make(n + 1));
    for (const mode of MODES) {
      const ms = await search(stack, mode, size, make);
      times[`${mode} p50/p99 ms`] = `${quantile(ms, 0.5).toFixed(1)} / ${quantile(ms, 0.99).toFixed(1)}`;
      process.stderr.write(`${mode}: ${times[`${mode} p50/p99 ms`]} ms\n`);
    }
    const memory = usage(stack);
    const engineMb = engine && usageOfProcesses(engine.pids()).rssMb;
    await stack.stop();
    if (engine) await fetch(`${clusterUrl(engine)}/isnad-*`, { method: "DELETE" });
    else for (const name of ["keyword", "vectors"]) rmSync(join(dataDir, name), { recursive: true });
    const recoveryS = await timed("started without its indexes", async () => {
      stack = await startStack(dataDir, env);
      await found(stack, least);
    });
    const each = (total: number) => (total / size / 1000).toFixed(2);
    return {
      articles: size.toLocaleString("en-US"),
      "posted, articles/s": (size / postedS).toFixed(0),
      "posted to found, articles/s": (size / filledS).toFixed(0),
      ...cpu,
      ...times,
      "kB an article: PostgreSQL / keyword / vectors": `${each(bytes)} / ${each(disk.keyword)} / ${each(disk.vectors)}`,
      "MB of memory: retrieval / workers": `${totalOf(memory, "retrieval", "rssMb")} / ${totalOf(memory, "workers", "rssMb")}`,
      ...(engineMb !== undefined && { "MB of memory: OpenSearch": String(engineMb) }),
      "start s": startS.toFixed(1),
      "start with both indexes gone s": recoveryS.toFixed(1),
    };
  } finally {
    await stack.stop();
  }
}

const clusterUrl = ({ env }: EngineUnderTrial): string => env.OPENSEARCH_URL ?? "";

/** Returns what the indexes of a cluster take on disk. */
async function clusterBytes(engine: EngineUnderTrial): Promise<{ keyword: number; vectors: number }> {
  const response = await fetch(`${clusterUrl(engine)}/_cat/indices/isnad-*?h=index,store.size&bytes=b`);
  const rows = (await response.text()).split("\n").map((line) => line.trim().split(/\s+/));
  const of = (kind: string) =>
    rows.reduce((sum, [name = "", bytes]) => (name.startsWith(`isnad-${kind}`) ? sum + Number(bytes) : sum), 0);
  return { keyword: of("articles"), vectors: of("vectors") };
}

/** Posts articles `0` to `size - 1`. */
async function post(stack: Stack, size: number, make: Make): Promise<void> {
  const { urls, tokens } = stack.info();
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < size) {
      const first = next;
      next += BATCH;
      const articles = Array.from({ length: Math.min(BATCH, size - first) }, (_, i) => make(first + i));
      const response = await answered(`${urls.api}/v1/ingest/articles`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${tokens.ingest}` },
        body: JSON.stringify({ articles }),
      });
      if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, run));
}

/** Asks again for as long as a service is too busy to answer; that is part of the time. */
async function answered(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    if (response.status !== 503) return response;
    process.stderr.write(`503, asked again: ${await response.text()}\n`);
    await sleep(500);
  }
}

/** Resolves when no article is on its way and both indexes hold at least `least` of them, as many as each other. */
async function found(stack: Stack, least: number): Promise<void> {
  const { api = "", retrieval = "" } = stack.info().urls;
  const startedAt = performance.now();
  for (;;) {
    const pending = await gauge(api, "articles_pending");
    const words = await gauge(retrieval, 'retrieval_index_articles{index="keyword"}');
    const vectors = await gauge(retrieval, 'retrieval_index_articles{index="vector"}');
    if (pending === 0 && words >= least && words === vectors) return;
    // An engine of another process is asked each time: a hundredth of what was waited is near enough.
    await sleep(Math.min(2_000, Math.max(100, (performance.now() - startedAt) / 100)));
  }
}

/** Milliseconds of searches one after another, for the beginnings of titles. */
async function search(stack: Stack, mode: string, size: number, make: Make): Promise<number[]> {
  const { urls } = stack.info();
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const { title } = make(Math.floor((i / SEARCHES) * size));
    const q = title.split(" ").slice(0, 4).join(" ");
    const startedAt = performance.now();
    const response = await answered(`${urls.api}/v1/search?${new URLSearchParams({ q, mode })}`);
    if (!response.ok) throw new Error(`search answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Seconds that the work took; said as soon as it is done, as a whole run takes minutes. */
async function timed(what: string, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  process.stderr.write(`${what}: ${seconds.toFixed(1)} s\n`);
  return seconds;
}

function folderBytes(path: string): number {
  return existsSync(path) ? Number(execFileSync("du", ["-sb", path], { encoding: "utf8" }).split("\t")[0]) : 0;
}

/** Returns what all processes of a service have used. */
function totalOf(used: ReturnType<typeof usage>, service: string, what: keyof Usage): number {
  return Object.entries(used).reduce(
    (sum, [name, its]) => (name === service || name.startsWith(`${service}-`) ? sum + its[what] : sum),
    0,
  );
}

function print(rows: readonly Record<string, string>[]): void {
  for (const name of Object.keys(rows[0] ?? {})) {
    process.stdout.write(`${name.padEnd(64)}${rows.map((row) => (row[name] ?? "").padStart(28)).join("")}\n`);
  }
}
