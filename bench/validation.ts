import { loadConfig } from "@isnad/lib/service/config";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { openStore } from "@isnad/lib/store";
import { createApp } from "../api/app.ts";
import { type Figure, interleaved, median } from "./rounds.ts";
import { makeItems, toBody } from "./store-articles.ts";

const REQUESTS = 60;
const PARALLEL = 4;
const ROWS = 50;

/**
 * Returns what validation costs: batches a second of the ingest route without its store, against a server that only
 * does text() and JSON.parse.
 */
export async function validation(rounds: number): Promise<Figure[]> {
  const body = toBody(makeItems(ROWS));
  const [bare, validated] = await Promise.all([startServer("bare"), startServer("validated")]);
  const load = async (url: string): Promise<void> => {
    let left = REQUESTS;
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        while (left-- > 0) {
          const response = await fetch(url, {
            method: "POST",
            headers: { authorization: "Bearer bench-token", "content-type": "application/json" },
            body,
          });
          const text = await response.text();
          if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`);
        }
      }),
    );
  };
  try {
    const times = await interleaved(
      [
        { name: "bare", run: () => load(bare.url) },
        { name: "validated", run: () => load(validated.url) },
      ],
      { rounds },
    );
    const rate = (name: string) => (REQUESTS * 1000) / median(times.get(name) ?? []);
    return [
      {
        name: "ingest: validated POST / bare JSON.parse",
        value: rate("validated") / rate("bare"),
        bound: { atLeast: 0.55 },
        detail: `${Math.round(rate("validated"))} against ${Math.round(rate("bare"))} batches/s of 50, cleaning and hashing included`,
      },
    ];
  } finally {
    await Promise.all([bare.stop(), validated.stop()]);
  }
}

async function startServer(kind: "bare" | "validated"): Promise<{ url: string; stop(): Promise<unknown> }> {
  const child = Bun.spawn([process.execPath, import.meta.path, kind], { stdio: ["ignore", "pipe", "inherit"] });
  const { value } = await child.stdout.getReader().read();
  const port = new TextDecoder().decode(value).trim();
  return {
    url: `http://127.0.0.1:${port}/v1/ingest/articles`,
    stop: () => {
      child.kill("SIGKILL");
      return child.exited;
    },
  };
}

/** A server that only reads and parses. */
const bare = async (request: Request): Promise<Response> => {
  const { articles } = JSON.parse(await request.text());
  return Response.json({ received: articles.length });
};

/** The ingest route over a store that stores nothing. */
function validated(): (request: Request) => Response | Promise<Response> {
  const config = loadConfig({ INGEST_TOKEN: "bench-token" }, { service: "api" });
  const store = openStore("postgres://nobody@127.0.0.1:1/none");
  let next = 1;
  store.admission.admit = async (items) => ({
    kind: "decided",
    conflict: false,
    results: items.map(() => ({ status: "accepted", articleId: next++ })),
    response: undefined,
  });
  const queues = { add: async () => undefined, ping: async () => undefined };
  const logger = createLogger({ service: "api", level: "error" });
  return createApp({ config, store, queues, logger, metrics: createMetrics() }).app.fetch;
}

// As a program: the server that it is asked for.
if (import.meta.main) {
  const fetch = process.argv[2] === "bare" ? bare : validated();
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  process.stdout.write(`${server.port}\n`);
}
