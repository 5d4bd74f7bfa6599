import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import postgres from "postgres";
import { freePort } from "../lib/std/ports.ts";
import { type Figure, interleaved, median, quantile } from "./rounds.ts";
import {
  articlesPerSecond,
  BATCHES,
  CONNECTIONS,
  createRawArticles,
  durableDatabase,
  inParallel,
  makeItems,
  rawRow,
  ROWS,
  toBody,
} from "./store-articles.ts";

/** The central API as a process of its own. */
type ApiProcess = { url: string; token: string; stop(): Promise<void> };

const ENTRY = fileURLToPath(new URL("../api/main.ts", import.meta.url));
const TOKEN = "bench-token";

/** Starts the API over the database and waits until it answers. */
async function startApi(databaseUrl: string): Promise<ApiProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([process.execPath, ENTRY], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      API_PORT: String(port),
      INGEST_TOKEN: TOKEN,
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const answers = () =>
    fetch(`${url}/livez`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`the API ended with ${child.exitCode}`);
    await Bun.sleep(50);
  }
  return {
    url,
    token: TOKEN,
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * What the ingest route costs over storing: articles a second from HTTP to the durable commit, against plain inserts of
 * 50 rows into a table of the same shape and indexes. Both over two connections, in the same run.
 */
export async function durable(rounds: number): Promise<Figure[]> {
  const database = await durableDatabase();
  const sql = postgres(database.url, { max: CONNECTIONS, onnotice: () => {} });
  await createRawArticles(sql);
  const api = await startApi(database.url);
  const latencies: number[] = [];
  try {
    const post = async (body: string): Promise<void> => {
      const start = performance.now();
      const response = await fetch(`${api.url}/v1/ingest/articles`, {
        method: "POST",
        headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
        body,
      });
      const answer = await response.text();
      latencies.push(performance.now() - start);
      const { accepted } = JSON.parse(answer).summary ?? {};
      if (accepted !== ROWS) throw new Error(`${response.status} ${answer.slice(0, 300)}`);
    };
    const insert = async (items: ReturnType<typeof makeItems>): Promise<void> => {
      await sql`insert into raw_articles ${sql(items.map(rawRow))}`;
    };
    // What is sent is made before the clock starts.
    const total = (rounds + 2) * BATCHES * CONNECTIONS;
    const bodies = Array.from({ length: total }, () => toBody(makeItems(ROWS)));
    const rows = Array.from({ length: total }, () => makeItems(ROWS));
    const times = await interleaved(
      [
        { name: "http", run: () => inParallel(() => post(bodies.pop() ?? "")) },
        { name: "raw", run: () => inParallel(() => insert(rows.pop() ?? [])) },
      ],
      { rounds },
    );
    const rate = (name: string) => articlesPerSecond(median(times.get(name) ?? []));
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    return [
      {
        name: "ingest: HTTP to durable / raw inserts",
        value: rate("http") / rate("raw"),
        bound: { atLeast: 0.75 },
        detail: `${Math.round(rate("http"))} against ${Math.round(rate("raw"))} articles/s, 50 a batch, 2 connections`,
      },
      {
        name: "ingest: batch p99 / p50",
        value: p99 / p50,
        bound: { atMost: 2.5 },
        detail: `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms over ${latencies.length} batches`,
      },
    ];
  } finally {
    await api.stop();
    await sql.end();
    await database.drop();
  }
}
