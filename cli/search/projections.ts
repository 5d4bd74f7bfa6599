import { join } from "node:path";
import { type Config, type Env, loadConfig } from "@isnad/lib/service/config";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { checkEngines, type KeywordIndex, openKeyword } from "@isnad/lib/search";
import { ensurePostgres, migrate, openStore, type Store } from "@isnad/lib/store";

/** The database and its projections, opened beside whatever else runs on the data folder. */
export type Projections = {
  config: Config;
  store: Store;
  keyword: KeywordIndex;
  /** Starts the embedding model once it is asked for. @throws InferenceError when it is missing or altered */
  embedder(): Promise<Embedder>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Opens them as the environment says: the database (the embedded one is started when nobody has), its schema brought up
 * to date, the keyword index for writing; `rebuild`: one of another analyser is no error.
 */
export async function openProjections(env: Env, { rebuild = false }: { rebuild?: boolean } = {}): Promise<Projections> {
  await using opened = new AsyncDisposableStack();
  const config = loadConfig(env);
  const { dataDir, databaseUrl, models } = config;
  await checkEngines(config.engines, { rebuild });
  const postgres = await ensurePostgres({ dataDir, databaseUrl });
  opened.defer(() => postgres.release());
  await migrate(postgres.url);
  const store = openStore(postgres.url, { max: 4, name: "isnad-command" });
  opened.defer(() => store.close());
  const keyword = await openKeyword({
    ...{ engine: config.engines.keyword, store, dir: join(dataDir, "keyword"), mode: rebuild ? "rebuild" : "write" },
  });
  opened.defer(() => keyword.close());
  let started: Promise<Embedder> | undefined;
  opened.defer(async () => (await started?.catch(() => undefined))?.close());
  const start = () =>
    createEmbedder({
      registry: openRegistry({ dataDir }),
      ...(models.embed !== undefined && { model: models.embed }),
    });
  const embedder = () => (started ??= start());
  const kept = opened.move();
  return { config, store, keyword, embedder, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
