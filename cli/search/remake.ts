import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "@isnad/lib/service/process";
import type { Config } from "@isnad/lib/service/config";
import { followRemote } from "@isnad/lib/search/sync";
import type { FollowerFacts, FollowerRequest, Store } from "@isnad/lib/store";

const POLL_MS = 200;
/** A follower that said nothing for so long does not run, in seconds. */
const SILENT_S = 20;

export type RemakeOptions = {
  config: Config;
  store: Store;
  /** Which indexes: by word, or by meaning. */
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
export async function remake(options: RemakeOptions): Promise<boolean> {
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
