import type { Engines, MeiliServer, OpenSearchServer } from "../../service/config/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { KeywordLogger } from "../keyword/open.ts";
import type { KeywordIndex } from "../keyword/types.ts";
import type { OpenSearchVectorSink } from "../opensearch/vector-index.ts";
import type { VectorLogger } from "../vector/sink.ts";
import type { VectorSearch } from "../vector/vector-index.ts";

/** Says how long the tiers of sources are taken to stay as they are, in milliseconds. */
const TIERS_MS = 5_000;

/** Holds what an engine of another process needs of the store. */
type EngineStore = { sources: Pick<Store["sources"], "list"> };

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

/** {@link checkEngine} for every engine that is set: before a process changes anything, the database too. */
export async function checkEngines({ keyword, vectors }: Engines): Promise<void> {
  for (const engine of [vectors, keyword]) if ("server" in engine) await checkEngine(engine);
}

type OpenKeywordOptions = {
  engine: Engines["keyword"];
  store: EngineStore;
  /** The folder of the embedded engine. */
  dir: string;
  logger?: KeywordLogger;
};

/**
 * Opens the engine that searches by word. Rejects with `EngineSettingError`, which names the setting, when its server
 * cannot be used, and with `KeywordIndexError`.
 */
export async function openKeyword({ engine, store, dir, logger }: OpenKeywordOptions): Promise<KeywordIndex> {
  // Each is loaded where it is asked for: all of them are large.
  if (engine.engine === "embedded") {
    const { openKeywordIndex } = await import("../keyword/open.ts");
    return await openKeywordIndex({ dir, early: true, ...(logger !== undefined && { logger }) });
  }
  if (engine.engine === "meilisearch") {
    const { openMeiliKeyword } = await import("../meilisearch/keyword-index.ts");
    const client = await connectMeili(engine.server);
    return openMeiliKeyword({ client, server: engine.server, tiers: tiersOf(store) });
  }
  const search = await connect(engine.server);
  const { openSearchKeyword } = await import("../opensearch/keyword-index.ts");
  return openSearchKeyword({ search, alias: `${engine.server.prefix}-articles`, tiers: tiersOf(store) });
}

type OpenVectorsOptions = {
  engine: Engines["vectors"];
  store: Pick<Store, "chunks" | "sources" | "log" | "followers">;
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

/**
 * Holds what feeds the vectors of an engine of another process; the embedded one is fed by the process that searches
 * it.
 */
type FeedVectorsOptions = Pick<OpenVectorsOptions, "engine" | "modelId" | "dims"> & {
  store: Pick<Store, "chunks">;
  logger: VectorLogger;
};

/**
 * Returns the sink of the vectors in an engine of another process; undefined for the embedded one. Rejects as the
 * others.
 */
export async function openVectorSink({
  engine,
  ...options
}: FeedVectorsOptions): Promise<OpenSearchVectorSink | undefined> {
  if (engine.engine === "usearch") return undefined;
  const search = await connect(engine.server);
  const [{ openSearchVectorSink }, { changesOf }] = await Promise.all([
    import("../opensearch/vector-index.ts"),
    import("../vector/sink.ts"),
  ]);
  const { store, modelId } = options;
  return openSearchVectorSink({ search, read: (entries) => changesOf(store, modelId, entries), ...options });
}

/** Holds what {@link setUpEngines} did; undefined for engines that need nothing. */
type EnginesSetUp = { template: string; lifecycle: boolean };

/** Puts what indexes in an engine of another process follow. Rejects as the others. */
export async function setUpEngines(engines: Engines): Promise<EnginesSetUp | undefined> {
  const chosen = [engines.vectors, engines.keyword].find((each) => each.engine === "opensearch");
  if (chosen?.engine !== "opensearch") return undefined;
  const search = await connect(chosen.server);
  try {
    const { setUpCluster } = await import("../opensearch/indices.ts");
    return await setUpCluster(search);
  } finally {
    await search.close();
  }
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
