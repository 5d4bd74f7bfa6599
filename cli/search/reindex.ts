import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import {
  checkEngines,
  type KeywordIndex,
  openKeyword,
  rebuildVectors,
  requestVectorRebuild,
  vectorRebuildPending,
} from "@isnad/lib/search";
import { rebuildKeyword, reconcileKeyword, reembed } from "@isnad/lib/search/sync";
import { createProgress, defineCommand, readRunning, UsageError, writeJson } from "@isnad/lib/service/cli";
import { type Config, type Env, loadConfig } from "@isnad/lib/service/config";
import { ensurePostgres, migrate, openStore, type Store } from "@isnad/lib/store";

/** The database and its projections, opened beside whatever else runs on the data folder. */
type Projections = {
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

type Done = { keyword?: { added: number; removed: number }; vectors?: Vectors };
type Vectors = { embedded: number; broken: number; rebuilt: boolean };

/** `search:reindex`: makes both indexes anew from the database. */
export const searchReindex = defineCommand({
  name: "search:reindex",
  summary: "Rebuilds the keyword and vector indexes from the database.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    keyword: { kind: "flag", help: "only the keyword index" },
    vectors: { kind: "flag", help: "only the vectors" },
    repair: { kind: "flag", help: "keep what is right: add what is missing, take out what is gone" },
  },
  details: "May run while the stack is up. When it is cut short, start it again with --repair.",
  async run({ values }, { env, json, signal, stdout, stderr }) {
    if (values.keyword && values.vectors) throw new UsageError("--keyword and --vectors exclude each other");
    await using projections = await openProjections(env, { rebuild: !values.repair && !values.vectors });
    const total = (await projections.store.articles.countByState()).indexed;
    const progress = createProgress(stderr);
    const draw = (what: string) => (done: number) =>
      progress.update(done, total, `${what}: ${done} of ${total} articles`);
    const done: Done = {};
    try {
      if (!values.vectors) done.keyword = await keyword(projections, values.repair, signal, draw("keyword"));
      progress.clear();
      if (!values.keyword) done.vectors = await vectors(projections, values.repair, signal, draw("vectors"));
    } finally {
      progress.clear();
    }
    if (json) writeJson(stdout, { articles: total, ...done });
    else stdout.write(report(total, done, values.repair));
    return (done.vectors?.broken ?? 0) > 0 ? 1 : 0;
  },
});

async function keyword(
  { store, keyword }: Projections,
  repair: boolean,
  signal: AbortSignal,
  draw: (done: number) => void,
) {
  const run = repair ? reconcileKeyword : rebuildKeyword;
  const { added, removed } = await run({
    store,
    keyword,
    signal,
    onProgress: (progress) => draw(Math.max(progress.checked, progress.added)),
  });
  return { added, removed };
}

/**
 * Embeds what has no passages of the current model, then has the vector index made anew from the database: here for an
 * engine of another process, else by the retrieval service that runs (waited for), else by the next one that starts.
 */
async function vectors(
  { config, store, embedder: start }: Projections,
  repair: boolean,
  signal: AbortSignal,
  draw: (done: number) => void,
): Promise<Vectors> {
  const embedder = await start();
  const { embedded, broken } = await reembed({ store, embedder, signal, onProgress: draw });
  const done = { embedded, broken: broken.length };
  if (repair) return { ...done, rebuilt: false };
  const { modelId, dims } = embedder;
  if (await rebuildVectors({ engine: config.engines.vectors, store, modelId, dims, signal })) {
    return { ...done, rebuilt: true };
  }
  const dir = join(config.dataDir, "vectors");
  const retrievalUrl = readRunning(config.dataDir).urls.retrieval ?? config.retrievalUrl;
  await requestVectorRebuild(dir);
  while (await vectorRebuildPending(dir, embedder.modelId)) {
    if (!(await answers(retrievalUrl, signal))) return { ...done, rebuilt: false };
    await sleep(200, undefined, { signal });
  }
  return { ...done, rebuilt: true };
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error) return false;
    throw error;
  }
}

function report(total: number, { keyword, vectors }: Done, repair: boolean): string {
  const lines = [`${total} articles in the database`];
  if (keyword) lines.push(`keyword index  ${keyword.added} written, ${keyword.removed} taken out`);
  if (vectors) {
    const index = vectors.rebuilt
      ? "index rebuilt"
      : repair
        ? "index kept"
        : "index rebuilt when the retrieval service starts";
    lines.push(`vectors        ${vectors.embedded} embedded, ${vectors.broken} could not be, ${index}`);
  }
  return `${lines.join("\n")}\n`;
}
