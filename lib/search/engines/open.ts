import type { Engines, MeiliServer, OpenSearchServer } from "../../service/config/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { ThreadsLogger } from "../../service/threads/mod.ts";
import type { KeywordIndex } from "../keyword/types.ts";
import type { VectorLogger } from "../vector/vector-index.ts";
import type { VectorSearch } from "./types.ts";

/** How long the tiers of sources are taken to stay as they are, in milliseconds. */
const TIERS_MS = 5_000;

/** What an engine of another process needs of the store. */
export type EngineStore = { chunks: Pick<Store["chunks"], "head">; sources: Pick<Store["sources"], "list"> };

/** An engine of another process. */
export type RemoteEngine = Extract<Engines["keyword"] | Engines["vectors"], { server: unknown }>;

/**
 * Checks that the server of an engine can be reached, lets this platform in, and is of a version that is known; nothing
 * is changed. Rejects with `EngineSettingError`, which names the setting.
 */
export async function checkEngine(engine: RemoteEngine): Promise<void> {
  if (engine.engine === "meilisearch") return await connectMeili(engine.server).then(() => undefined);
  await (await connect(engine.server)).close();
}

/**
 * {@link checkEngine} for every engine that is set, and that an index by word is of this analyser, unless it is about
 * to be made anew (`rebuild`): before a process changes anything, the database too.
 */
export async function checkEngines(
  { keyword, vectors }: Engines,
  { rebuild = false }: { rebuild?: boolean } = {},
): Promise<void> {
  if ("server" in vectors) await checkEngine(vectors);
  if (!("server" in keyword)) return;
  if (rebuild) await checkEngine(keyword);
  else await (await openKeyword({ engine: keyword, store: NOTHING, dir: "", mode: "read" })).close();
}

/** What an index that is only looked at needs of the store. */
const NOTHING: EngineStore = {
  chunks: { head: () => Promise.reject(new Error("nothing is written")) },
  sources: { list: async () => [] },
};

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
  // Each is loaded where it is asked for: all of them are large.
  if (engine.engine === "embedded") {
    const { openKeywordIndex } = await import("../keyword/open.ts");
    const how = mode === "read" ? "read" : "write";
    return await openKeywordIndex({ dir, mode: how, ...(logger !== undefined && { logger }) });
  }
  if (engine.engine === "meilisearch") {
    const { openMeiliKeyword } = await import("../meilisearch/keyword-index.ts");
    const client = await connectMeili(engine.server);
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
  if (engine.engine === "usearch") {
    const { createVectorIndex } = await import("../vector/vector-index.ts");
    return await createVectorIndex(options);
  }
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

/**
 * Keeps them up to date until `signal` aborts; resolves once there is an index. Rejects as {@link openKeyword}, before
 * anything is written.
 */
export async function keepVectors({ engine, ...options }: KeepVectorsOptions): Promise<{ ended: Promise<void> }> {
  if (engine.engine === "usearch") return { ended: Promise.resolve() };
  const search = await connect(engine.server);
  const [{ writeVectors }, { vectorLog }] = await vectorWriting();
  const { setUpVectors } = await import("../opensearch/set-up.ts");
  const { modelId, dims, store } = options;
  await setUpVectors(search, { modelId, dims, ...(await store.chunks.head()) });
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
    const head = await store.chunks.head();
    const hasVectors = engines.vectors.engine === "opensearch";
    return { ...done, vectorsCreated: hasVectors && (await setUpVectors(search, { modelId, dims, ...head })) };
  } finally {
    await search.close();
  }
}

function vectorWriting() {
  return Promise.all([import("../opensearch/vector-writer.ts"), import("../opensearch/vector-changes.ts")]);
}

async function connectMeili(server: MeiliServer) {
  const { checkMeili, meiliClient } = await import("../meilisearch/client.ts");
  const client = meiliClient(server);
  await checkMeili(client, server);
  return client;
}

async function connect(server: OpenSearchServer) {
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
