import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { checkEngines } from "@isnad/lib/search";
import { createProgress, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { reembed } from "@isnad/lib/search/sync";
import { type Config, type Env, loadConfig } from "@isnad/lib/service/config";
import { ensurePostgres, migrate, openStore, type Store } from "@isnad/lib/store";
import { remake } from "./remake.ts";

/** The database and what its projections are made with, opened beside whatever else runs on the data folder. */
type Projections = {
  config: Config;
  store: Store;
  /** Starts the embedding model once it is asked for. @throws InferenceError when it is missing or altered */
  embedder(): Promise<Embedder>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Opens them as the environment says: the database (the embedded one is started when nobody has) with its schema. */
export async function openProjections(env: Env): Promise<Projections> {
  await using opened = new AsyncDisposableStack();
  const config = loadConfig(env);
  const { dataDir, databaseUrl, models } = config;
  await checkEngines(config.engines);
  const postgres = await ensurePostgres({ dataDir, databaseUrl });
  opened.defer(() => postgres.release());
  await migrate(postgres.url);
  const store = openStore(postgres.url, { max: 4, name: "isnad-command" });
  opened.defer(() => store.close());
  let started: Promise<Embedder> | undefined;
  opened.defer(async () => (await started?.catch(() => undefined))?.close());
  const start = () =>
    createEmbedder({
      registry: openRegistry({ dataDir }),
      ...(models.embed !== undefined && { model: models.embed }),
    });
  const embedder = () => (started ??= start());
  const kept = opened.move();
  return { config, store, embedder, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

type Done = { keyword?: { rebuilt: boolean }; vectors?: { embedded: number; broken: number; rebuilt: boolean } };

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
  details: "May run while the stack is up: whoever feeds an index does it, and searches go on meanwhile.",
  async run({ values }, { env, json, signal, stdout, stderr }) {
    if (values.keyword && values.vectors) throw new UsageError("--keyword and --vectors exclude each other");
    await using projections = await openProjections(env);
    const { config, store } = projections;
    const total = (await store.articles.countByState()).indexed;
    const progress = createProgress(stderr);
    const draw = (what: string, done: number) => progress.update(done, total, `${what}: ${done} of ${total} articles`);
    const wanted = values.repair ? "compare" : "rebuild";
    const done: Done = {};
    try {
      if (!values.vectors) {
        const onProgress = (behind: number) => draw("keyword", Math.max(0, total - behind));
        const rebuilt = await remake({ config, store, kind: "keyword", wanted, signal, onProgress });
        done.keyword = { rebuilt };
      }
      progress.clear();
      if (!values.keyword) {
        const model = await projections.embedder();
        const embedding = { store, embedder: model, signal, onProgress: (count: number) => draw("embedded", count) };
        const { embedded, broken } = await reembed(embedding);
        const onProgress = (behind: number) => draw("vectors", Math.max(0, total - behind));
        const rebuilt = await remake({ config, store, kind: "vectors", wanted, model, signal, onProgress });
        done.vectors = { embedded, broken: broken.length, rebuilt };
      }
    } finally {
      progress.clear();
    }
    if (json) writeJson(stdout, { articles: total, ...done });
    else stdout.write(report(total, done, wanted));
    return (done.vectors?.broken ?? 0) > 0 ? 1 : 0;
  },
});

function report(total: number, { keyword, vectors }: Done, wanted: "compare" | "rebuild"): string {
  const done = wanted === "rebuild" ? "rebuilt" : "compared with the database";
  const index = ({ rebuilt }: { rebuilt: boolean }) =>
    rebuilt ? `index ${done}` : `index ${done} when the retrieval service starts`;
  const lines = [`${total} articles in the database`];
  if (keyword) lines.push(`keyword        ${index(keyword)}`);
  if (vectors) {
    lines.push(`vectors        ${vectors.embedded} embedded, ${vectors.broken} could not be, ${index(vectors)}`);
  }
  return `${lines.join("\n")}\n`;
}
