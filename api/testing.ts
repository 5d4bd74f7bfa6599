import { type Config, loadConfig } from "@isnad/lib/service/config";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import type { NewJob } from "@isnad/lib/work/queue";
import { openStore, type Store } from "@isnad/lib/store";
import { testDatabase } from "@isnad/lib/store/testing";
import { type Api, createApp } from "./app.ts";
import type { DeskAssets } from "./desk/mod.ts";

/** The ingest token of {@link testApi}. */
export const TOKEN = "ingest-token";

/** A sentence of 40 code points, so that five of them make a valid content. */
export const SENTENCE = "وصل القطار إلى المدينة في وقت مبكر جداً. ";

/** The API over a database of its own, for tests. */
export type TestApi = Api & {
  config: Config;
  store: Store;
  url: string;
  /** Jobs that were added to queue `ingestion`. */
  jobs: NewJob[];
  /** Log lines. */
  lines: Record<string, unknown>[];
  /** Posts a body to the ingest route with the ingest token; `headers` come on top. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A digest of every table, to show that a request left the database as it was. */
  snapshot(): Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Makes the API over a fresh database; call `close()` when done. `env` is added to its environment; with `desk` it
 * serves the desk.
 */
export async function testApi(env: Record<string, string> = {}, desk?: DeskAssets): Promise<TestApi> {
  const database = await testDatabase();
  const store = openStore(database.url, { max: 8 });
  const config = loadConfig({ INGEST_TOKEN: `${TOKEN},next-token`, ...env }, { service: "api" });
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ service: "api", level: "debug", stream });
  const jobs: NewJob[] = [];
  const queues = {
    add: async (_name: string, job: NewJob) => void jobs.push(job),
    ping: async () => undefined,
  };
  const api = createApp({ config, store, queues, logger, metrics: createMetrics(), desk });
  const sql = new Bun.SQL(database.url, { max: 1 });
  return {
    ...api,
    config,
    store,
    url: database.url,
    jobs,
    lines,
    post: async (body, headers = {}) =>
      api.app.request("/v1/ingest/articles", {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
      }),
    snapshot: async () => {
      const tables = await sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
      const digests: Record<string, unknown> = {};
      for (const { name } of tables) {
        const [row] = await sql.unsafe(
          `select count(*)::int, md5(string_agg(t::text, '|' order by t::text)) from ${name} t`,
        );
        digests[name] = row;
      }
      return digests;
    },
    close: async () => {
      await api.close();
      await sql.end();
      await store.close();
      await database.drop();
    },
  };
}

/** A valid item; `over` replaces or adds fields. Items of different `external_id` have different contents. */
export function item(over: Record<string, unknown> = {}): Record<string, unknown> {
  const id = String(over.external_id ?? "e-1");
  return {
    source_id: "s-1",
    external_id: id,
    url: "https://news.test/article",
    title: `خبر ${id.slice(0, 20)}`,
    content: `${SENTENCE.repeat(6)}${id.slice(0, 20)}`,
    ...over,
  };
}

/** The body of a response as plain data. */
export async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  return Object(await response.json());
}
