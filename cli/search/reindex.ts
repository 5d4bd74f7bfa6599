import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { checkEngines, setUpEngines } from "@isnad/lib/search";
import { followRemote, reembed } from "@isnad/lib/search/sync";
import { createProgress, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { type Config, type Env, loadConfig } from "@isnad/lib/service/config";
import { createLogger } from "@isnad/lib/service/process";
import type { FollowerFacts, FollowerRequest, Store } from "@isnad/lib/store";
import { openCommandStore } from "../open-store.ts";

const POLL_MS = 200;
/** A follower that said nothing for so long does not run, in seconds. */
const SILENT_S = 20;

type RemakeOptions = {
  config: Config;
  store: Store;
  /** Says which indexes: by word, or by meaning. */
  kind: "keyword" | "vectors";
  wanted: FollowerRequest;
  /** The embedding model, for the vectors of an engine of another process. */
  model?: { modelId: string; dims: number };
  signal: AbortSignal;
  /** Called with how many changes are still to be followed. */
  onProgress(behind: number): void;
};

/**
 * Has the followers of these indexes make them again, or compare them with the database, and waits for that. Engines of
 * other processes are followed here, too, in case no worker runs. Returns whether it was done: not where an embedded
 * index has no follower that runs; the next one that starts does it.
 */
async function remake(options: RemakeOptions): Promise<boolean> {
  const { config, store, kind, wanted, model, signal, onProgress } = options;
  const engine = config.engines[kind];
  const isRemote = "server" in engine;
  await store.followers.ask(kind, wanted);
  await using opened = new AsyncDisposableStack();
  if (isRemote) {
    const engines = { keyword: { engine: "embedded" }, vectors: { engine: "usearch" }, [kind]: engine } as const;
    const logger = createLogger({ service: "command", level: "error" });
    opened.use(
      await followRemote({
        ...{ engines: { ...config.engines, ...engines }, store, model, logger },
        owner: `command:${process.pid}`,
      }),
    );
  }
  for (;;) {
    const all = await store.followers.list();
    const own = all.filter(({ name }) => (isRemote ? name === `${kind}@${engine.engine}` : isOf(name, kind)));
    const awake = own.filter(({ silentS }) => silentS < SILENT_S);
    if (awake.length === 0 && !isRemote) return false;
    if (awake.length > 0 && awake.every(isDone)) return true;
    onProgress(Math.max(0, ...awake.map(({ behind }) => behind)));
    await sleep(POLL_MS, undefined, { signal });
  }
}

function isOf(name: string, kind: string): boolean {
  return name.startsWith(`${kind}@`) && !/@(opensearch|meilisearch)$/.test(name);
}

function isDone({ state, wanted }: FollowerFacts): boolean {
  return state === "following" && wanted === null;
}

/** The database and what its projections are made with, opened beside whatever else runs on the data folder. */
type Projections = {
  config: Config;
  store: Store;
  /** Starts the embedding model once it is asked for. @throws InferenceError when it is missing or altered */
  embedder(): Promise<Embedder>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Opens them as the environment says: the database (the embedded one is started when nobody has) with its schema. */
async function openProjections(env: Env, options?: { creates: boolean }): Promise<Projections> {
  await using opened = new AsyncDisposableStack();
  await checkEngines(loadConfig(env).engines);
  const { config, store } = opened.use(await openCommandStore(env, options));
  const { dataDir, models } = config;
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

/** `search:reindex`: makes both indexes again from the database. */
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

const FILL_POLL_MS = 100;

/** `search:setup` (also `opensearch:setup`): creates what searches need. */
export const searchSetup = defineCommand({
  name: "search:setup",
  summary: "Creates the keyword and vector indexes and their settings; what is there already stays.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {},
  details: `The database's schema is brought up to date, indexes in engines of other processes are made and filled when they are missing
or of another version, and the embedding model is checked. The services do the same when they start; the embedded indexes are
made by the service that searches them. In an OpenSearch cluster the template
of all indexes is put as well, and the policy of their lifecycle where the cluster knows such policies.`,
  async run(_input, { env, json, stdout }) {
    await using projections = await openProjections(env, { creates: true });
    const { store, config } = projections;
    const { engines } = config;
    const model = await projections.embedder();
    const cluster = await setUpEngines(engines);
    const logger = createLogger({ service: "command", level: "error" });
    const before = new Set((await store.followers.list()).map(({ name }) => name));
    await using remote = await followRemote({ engines, store, model, logger, owner: `command:${process.pid}` });
    // A worker that has an engine already has made what it needs.
    for (const follower of remote.followers) {
      while (!follower.status().caughtUp && follower.status().leads) await sleep(FILL_POLL_MS);
    }
    const { chunks } = await store.chunks.counts(model.modelId);
    const documents = (await store.articles.countByState()).indexed;
    const created = !(await store.followers.list()).some(({ name }) => name.startsWith("keyword@") && before.has(name));
    const result = {
      engines: { keyword: engines.keyword.engine, vectors: engines.vectors.engine },
      ...(cluster !== undefined && { cluster }),
      index: config.search.index,
      keyword: { created, documents },
      vector: { field: config.search.vectorField, model: model.modelId, dims: model.dims, passages: chunks },
    };
    if (json) writeJson(stdout, result);
    else {
      stdout.write(
        `${[
          `engines        ${engines.keyword.engine} by word, ${engines.vectors.engine} by meaning`,
          ...(cluster === undefined
            ? []
            : [
                `cluster        template ${cluster.template}, lifecycle ${cluster.lifecycle ? "set" : "not available there"}`,
              ]),
          `keyword index  ${created ? "is made by the service that searches it" : "there"}, ${documents} documents`,
          `vector index   model ${model.modelId}, ${model.dims} dimensions, ${chunks} passages`,
        ].join("\n")}\n`,
      );
    }
    return 0;
  },
});
