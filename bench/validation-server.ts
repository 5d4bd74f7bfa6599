/**
 * `bun validation-server.ts bare|validated`: a server that only reads and parses, or the ingest route over a store that
 * stores nothing.
 */

import { loadConfig } from "@isnad/lib/service/config";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { openStore } from "@isnad/lib/store";
import { createApp } from "../api/app.ts";

const bare = async (request: Request): Promise<Response> => {
  const { articles } = JSON.parse(await request.text());
  return Response.json({ received: articles.length });
};

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

const fetch = process.argv[2] === "bare" ? bare : validated();
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
process.stdout.write(`${server.port}\n`);
