import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { createLogger, createMetrics, type Registry } from "@isnad/lib/service/process";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { openQueues, type Queues } from "@isnad/lib/work/queue";
import { type KeywordIndex, openKeywordIndex } from "@isnad/lib/search";
import { followKeyword } from "@isnad/lib/search/sync";
import { articleIdOfKey, openStore, type Store } from "@isnad/lib/store";
import { testDatabase } from "@isnad/lib/store/testing";
import { createWorker, type Timing, type Worker, type WorkerDeps } from "../app.ts";

/** The real parts a worker stands on, over a database and a folder of their own. */
type Platform = {
  databaseUrl: string;
  store: Store;
  queues: Queues;
  /** Follows the log. */
  keyword: KeywordIndex;
  /** Those of these articles that the keyword index does not hold. */
  missing(ids: readonly number[]): Promise<number[]>;
  embedder: Embedder;
  metrics: Registry;
  /** Starts a worker with short intervals; it is stopped with the platform. */
  worker(timing?: Partial<Timing>, over?: Partial<WorkerDeps>): Promise<Worker>;
  /** Stops the workers started so far. */
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
};

const QUICK: Partial<Timing> = { publishMs: 50, outboxMs: 50, workMs: 100 };

/** Opens everything that a worker needs. */
export async function openPlatform(): Promise<Platform> {
  const database = await testDatabase();
  const dir = await mkdtemp(join(tmpdir(), "isnad-workers-"));
  const logger = createLogger({ service: "test", level: process.env.TEST_LOG ?? "silent" });
  const store = openStore(database.url);
  const [queues, keyword, embedder] = await Promise.all([
    openQueues({ databaseUrl: database.url, logger }),
    openKeywordIndex({ dir: join(dir, "keyword") }),
    createEmbedder({ registry: openRegistry({}) }),
  ]);
  const follower = followKeyword({ store, keyword, logger, pollMs: 50 });
  const taxonomy = loadTaxonomy();
  const workers: Worker[] = [];
  const stopWorkers = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  };
  const metrics = createMetrics();
  return {
    databaseUrl: database.url,
    store,
    queues,
    keyword,
    async missing(ids) {
      const present = new Set((await keyword.ids(0, 100_000)).map(articleIdOfKey));
      return ids.filter((id) => !present.has(id));
    },
    embedder,
    metrics,
    async worker(timing = {}, over = {}) {
      const deps = {
        store,
        queues,
        embedder,
        taxonomy,
        logger,
        instance: "test",
        concurrency: 2,
      };
      const worker = await createWorker({
        ...deps,
        metrics: createMetrics(),
        ...over,
        timing: { ...QUICK, ...timing },
      });
      workers.push(worker);
      return worker;
    },
    stopWorkers,
    async close() {
      await stopWorkers();
      await follower.close();
      await Promise.all([queues.close(), keyword.close(), embedder.close()]);
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
