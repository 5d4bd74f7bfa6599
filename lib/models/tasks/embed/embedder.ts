import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { modelId } from "../../cards/registry.ts";
import { loadEmbedModel } from "./embed-model.ts";
import type { ModelData } from "../../runtime/model-worker.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelHost, type ModelOptions, ofRegistry } from "../../runtime/model-host.ts";

/** Holds what a text is for: some models put a prefix before it. */
type TextKind = "query" | "passage";

/** Texts to vectors; calls made at the same time share runs of the model. */
export interface Embedder {
  /** `name@revision`; vectors of different ids must not be compared. */
  readonly modelId: string;
  readonly dims: number;
  /** Says that it looks words up and weighs them: a text costs microseconds. */
  readonly isStatic?: boolean;
  /** One unit-length Float32Array of `dims` numbers a text, in order. Any string is allowed: a text in which the model
   * knows nothing (empty, only emoji, an unknown script) gets the vector of the unknown token.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type EmbedderOptions = ModelOptions & {
  /**
   * Calls with little text are computed in the calling thread where the model is a bag of words: that takes less than
   * the way to another thread, which is then started only for longer ones.
   */
  inCaller?: boolean;
};

/** UTF-16 units of a call that a bag model embeds in the calling thread: about half a millisecond. */
const MAX_IN_CALLER = 500;

/** Starts a thread with the model, or readies it in this one, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const { registry, threads = 1, inCaller = false } = options;
  const name = options.model ?? registry.default("embed");
  const card = registry.card(name);
  const model: ModelData = { dir: registry.dir(name), card, threads };
  const vectors =
    inCaller && card.architecture === "weighted-bag"
      ? await embedHere(model, options)
      : await embedThere(model, options);
  return {
    modelId: modelId(card),
    dims: card.dims ?? 0,
    isStatic: card.architecture === "weighted-bag",
    embed(texts, kind, signal) {
      const prefix = card.prefixes?.[kind] ?? "";
      return vectors.run(prefix === "" ? texts : texts.map((text) => prefix + text), { signal });
    },
    threads: () => vectors.threads(),
    close: () => vectors.close(),
  };
}

type Vectors = Omit<ModelHost<string, Float32Array>, "check">;

/** In a thread of its own. */
function embedThere({ card, threads }: ModelData, options: EmbedderOptions): Promise<Vectors> {
  const { registry, maxQueue, timeoutMs, background, idleMs, logger } = options;
  return createModelHost<string, Float32Array, Float32Array>({
    module: new URL("./embed-model.ts", import.meta.url),
    ...ofRegistry(registry, card.name, threads),
    units: (text) => text.length,
    unpack: (vectors, count) => split(vectors, count, card.dims ?? 0),
    maxQueue,
    timeoutMs,
    background,
    idleMs,
    logger,
  });
}

/** In this thread as far as the texts are short, otherwise in one that the first long ones start. */
async function embedHere(data: ModelData, options: EmbedderOptions): Promise<Vectors> {
  const { card } = data;
  const model = await loadEmbedModel(data.dir, card, data.threads);
  let there: Promise<Vectors> | undefined;
  let started: Vectors | undefined;
  let closing: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();
  const embedNow = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const run = model.embed(texts);
    running.add(run);
    try {
      return split(await run, texts.length, model.dims);
    } finally {
      running.delete(run);
    }
  };
  const startThere = async (): Promise<Vectors> => {
    try {
      started = await embedThere(data, options);
      return started;
    } catch (error) {
      there = undefined;
      throw error;
    }
  };
  return {
    async run(texts, options) {
      if (closing !== undefined) throw new InferenceError("closed", `${card.name} is closed`, { model: card.name });
      options?.signal?.throwIfAborted();
      const units = texts.reduce((sum, text) => sum + text.length, 0);
      if (units <= MAX_IN_CALLER) return await embedNow(texts);
      there ??= startThere();
      return await (await there).run(texts, options);
    },
    threads: () => started?.threads() ?? { threads: 1, alive: 0, failing: 0, restarts: 0, lastError: undefined },
    close() {
      closing ??= (async () => {
        await (await there?.catch(() => undefined))?.close();
        await Promise.allSettled(running);
        await model.release();
      })();
      return closing;
    },
  };
}

function split(vectors: Float32Array, count: number, dims: number): Float32Array[] {
  return Array.from({ length: count }, (_, place) => vectors.slice(place * dims, (place + 1) * dims));
}
