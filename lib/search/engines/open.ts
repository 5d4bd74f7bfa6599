import type { Engines } from "../../config/index.ts";
import type { Store } from "../../store/index.ts";
import type { ThreadsLogger } from "../../threads/index.ts";
import { openKeywordIndex } from "../keyword/open.ts";
import type { KeywordIndex } from "../keyword/types.ts";
import { createVectorIndex, type VectorLogger } from "../vector/vector-index.ts";
import type { VectorSearch } from "./types.ts";

/** How long the tiers of sources are taken to stay as they are, in milliseconds. */
const TIERS_MS = 5_000;

/** What an engine of another process needs of the store. */
export type EngineStore = { chunks: Pick<Store["chunks"], "head">; sources: Pick<Store["sources"], "list"> };

/** What an engine by word is opened with. */
export type OpenKeywordOptions = {
  engine: Engines["keyword"];
  store: EngineStore;
  /** The folder of the embedded engine. */
  dir: string;
  /** `rebuild`: an index of another analyser is no error, because it is about to be made anew. */
  mode: "read" | "write" | "rebuild";
  logger?: ThreadsLogger;
};

/**
 * Opens the engine that searches by word. Rejects with `EngineSettingError`, which names the setting, when its server
 * cannot be used, and with `KeywordIndexError`.
 */
export async function openKeyword({ engine, store, dir, mode, logger }: OpenKeywordOptions): Promise<KeywordIndex> {
  if (engine.engine === "embedded") {
    const how = mode === "read" ? "read" : "write";
    return await openKeywordIndex({ dir, mode: how, ...(logger !== undefined && { logger }) });
  }
  if (engine.engine === "meilisearch") {
    const { checkMeili, meiliClient } = await import("../meilisearch/client.ts");
    const { openMeiliKeyword } = await import("../meilisearch/keyword-index.ts");
    const client = meiliClient(engine.server);
    await checkMeili(client, engine.server);
    return await openMeiliKeyword({ client, server: engine.server, mode, tiers: tiersOf(store) });
  }
  const search = await connect(engine.server);
  const { openSearchKeyword } = await import("../opensearch/keyword-index.ts");
  const alias = `${engine.server.prefix}-articles`;
  return await openSearchKeyword({ search, alias, mode, head: () => store.chunks.head(), tiers: tiersOf(store) });
}

/** What an engine by meaning is opened with. */
export type OpenVectorsOptions = {
  engine: Engines["vectors"];
  store: Pick<Store, "chunks" | "sources">;
  /** The folder of the embedded engine. */
  dir: string;
  modelId: string;
  dims: number;
  logger?: VectorLogger;
};

/** Opens the engine that searches by meaning. Rejects as {@link openKeyword}. */
export async function openVectors({ engine, ...options }: OpenVectorsOptions): Promise<VectorSearch> {
  if (engine.engine === "usearch") return await createVectorIndex(options);
  const search = await connect(engine.server);
  const { openSearchVectors } = await import("../opensearch/vector-index.ts");
  const { modelId, dims, store } = options;
  return openSearchVectors({ search, modelId, dims, tiers: tiersOf(store) });
}

/** What keeps the vectors of an engine of another process up to date; the embedded one does so itself. */
export type KeepVectorsOptions = Omit<OpenVectorsOptions, "dir" | "logger"> & {
  logger: VectorLogger;
  /** The name under which this process writes; no other one has it. */
  owner: string;
  signal: AbortSignal;
};

/** Keeps them up to date until `signal` aborts. Rejects as {@link openKeyword}, before anything is written. */
export async function keepVectors({ engine, ...options }: KeepVectorsOptions): Promise<{ ended: Promise<void> }> {
  if (engine.engine === "usearch") return { ended: Promise.resolve() };
  const search = await connect(engine.server);
  const [{ writeVectors }, { vectorLog }] = await vectorWriting();
  const log = vectorLog(options.store, options.modelId);
  return { ended: writeVectors({ search, log, ...options }).finally(() => search.close()) };
}

/**
 * Makes the index of vectors of an engine of another process anew, beside the one that serves. Returns false for the
 * embedded one, which each process that searches makes for itself. Rejects as {@link openKeyword}.
 */
export async function rebuildVectors({
  engine,
  ...options
}: Pick<KeepVectorsOptions, "engine" | "store" | "modelId" | "dims" | "signal">): Promise<boolean> {
  if (engine.engine === "usearch") return false;
  const search = await connect(engine.server);
  try {
    const [{ rebuildVectors: rebuild }, { vectorLog }] = await vectorWriting();
    await rebuild({ search, log: vectorLog(options.store, options.modelId), ...options });
    return true;
  } finally {
    await search.close();
  }
}

/** What {@link setUpEngines} did; undefined for engines that need nothing. */
export type EnginesSetUp = { template: string; lifecycle: boolean; vectorsCreated: boolean };

/** Puts what indexes in an engine of another process follow, and makes that of the vectors. Rejects as the others. */
export async function setUpEngines({
  engines,
  store,
  modelId,
  dims,
}: {
  engines: Engines;
  store: EngineStore;
  modelId: string;
  dims: number;
}): Promise<EnginesSetUp | undefined> {
  const chosen = [engines.vectors, engines.keyword].find((each) => each.engine === "opensearch");
  if (chosen?.engine !== "opensearch") return undefined;
  const search = await connect(chosen.server);
  try {
    const { setUpCluster, setUpVectors } = await import("../opensearch/set-up.ts");
    const done = await setUpCluster(search);
    const { database } = await store.chunks.head();
    const hasVectors = engines.vectors.engine === "opensearch";
    return { ...done, vectorsCreated: hasVectors && (await setUpVectors(search, { modelId, dims, database })) };
  } finally {
    await search.close();
  }
}

function vectorWriting() {
  return Promise.all([import("../opensearch/vector-writer.ts"), import("../opensearch/vector-changes.ts")]);
}

async function connect(server: Extract<Engines["vectors"], { engine: "opensearch" }>["server"]) {
  // Loaded where it is asked for: the client is large.
  const { checkOpenSearch, openSearchClient } = await import("../opensearch/client.ts");
  const search = openSearchClient(server);
  try {
    await checkOpenSearch(search);
    return search;
  } catch (error) {
    await search.close();
    throw error;
  }
}

/** The tiers of the sources, read again after a while. */
function tiersOf(store: EngineStore): () => Promise<ReadonlyMap<string, number>> {
  let kept: { tiers: Promise<ReadonlyMap<string, number>>; at: number } | undefined;
  return () => {
    if (kept === undefined || performance.now() - kept.at > TIERS_MS) {
      const tiers = store.sources.list().then((all) => new Map(all.map(({ key, tier }) => [key, tier])));
      kept = { tiers, at: performance.now() };
      tiers.catch(() => {
        kept = undefined;
      });
    }
    return kept.tiers;
  };
}
