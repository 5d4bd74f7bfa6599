import { createLogger } from "@isnad/lib/service/process";
import { createCheckThread } from "@isnad/lib/ingest";
import { openStore, type Source, type SourceInput, type Store } from "@isnad/lib/store";
import { testDatabase } from "@isnad/lib/store/testing";
import type { ItemDraft } from "@isnad/lib/contract";
import type { Adapter } from "../pull/adapter.ts";
import type { PullDeps } from "../pull/run-pull.ts";

/** The real parts a pull stands on, over a database of their own. */
type PullBench = {
  databaseUrl: string;
  store: Store;
  /** Articles that jobs were queued for. */
  queuedIds: number[];
  /** Log lines. */
  lines: Record<string, unknown>[];
  /** Returns what the orchestrator needs, with these adapters. */
  deps(adapters: Record<string, Adapter>, over?: Partial<PullDeps>): PullDeps;
  /** Registers a source under a key of its own. */
  source(fields?: Partial<SourceInput>): Promise<Source>;
  /** Runs a statement with a value and returns its rows. */
  query(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

let serial = 0;

/** Opens what pulls under test run on. */
export async function openPullBench(): Promise<PullBench> {
  const database = await testDatabase();
  const store = openStore(database.url);
  const thread = createCheckThread();
  const sql = new Bun.SQL(database.url, { max: 1 });
  const queuedIds: number[] = [];
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ service: "test", level: "debug", stream });
  return {
    databaseUrl: database.url,
    store,
    queuedIds,
    lines,
    deps: (adapters, over = {}) => ({
      store,
      adapters: new Map(Object.entries(adapters)),
      thread,
      enqueuer: { enqueue: (ids) => void queuedIds.push(...ids) },
      logger,
      instance: "test",
      leaseS: 3_600,
      requireKnownSource: false,
      ...over,
    }),
    async source(fields = {}) {
      const [made] = await store.sources.upsert([{ key: `source-${++serial}`, provider: "scripted", ...fields }]);
      if (made === undefined) throw new Error("no source was made");
      return made;
    },
    query: async (text, ...values) => [...(await sql.unsafe(text, values))],
    async close() {
      await thread.close();
      await sql.end();
      await store.close();
      await database.drop();
    },
  };
}

const SENTENCE = "The harbour was quiet again by nightfall. ";

/** A valid item of a source; contents of different ids differ. */
export function pullItem({ key }: Pick<Source, "key">, id: string, over: ItemDraft = {}): ItemDraft {
  return {
    source_id: key,
    external_id: id,
    url: `https://news.example/${key}/${id}`,
    title: `Report ${id} of ${key}`,
    content: `${SENTENCE.repeat(6)}${key} ${id}`,
    ...over,
  };
}
