import { modelId } from "./card.ts";
import { type EmbedThread, startEmbedThread } from "./embed-thread.ts";
import { InferenceError } from "./errors.ts";
import type { Registry } from "./registry.ts";
import { createWorkQueue, type Taken } from "./work-queue.ts";

/** What a text is for: some models put a prefix before it. */
export type TextKind = "query" | "passage";

/** Texts to vectors; calls made at the same time share runs of the model. */
export interface Embedder {
  /** `name@revision`; vectors of different ids must not be compared. */
  readonly modelId: string;
  readonly dims: number;
  /** One unit-length Float32Array of `dims` numbers a text, in order. Any string is allowed: a text in which the model
   * knows nothing (empty, only emoji, an unknown script) gets the vector of the unknown token.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type EmbedderOptions = {
  registry: Registry;
  /** Name of the model; the registry's default for `embed` when it is not given. */
  model?: string;
  /** Threads of one run of the model. Default 1. */
  threads?: number;
  /** Texts that may wait. Default 4096. */
  maxQueue?: number;
  /** Milliseconds that a call may take. Default 30,000. */
  timeoutMs?: number;
};

const MAX_TEXTS = 64;
const MAX_UNITS = 100_000;
/** One run computes while the next one is already in the Worker's inbox. */
const MAX_RUNS = 2;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const { registry, threads = 1, maxQueue = 4096, timeoutMs = 30_000 } = options;
  const name = options.model ?? registry.default("embed");
  const card = registry.card(name);
  const data = { dir: registry.dir(name), card, threads };
  let thread: Promise<EmbedThread> = startEmbedThread(data);
  await thread;

  const queue = createWorkQueue(maxQueue, name);
  const dims = card.dims ?? 0;
  let runs = 0;
  let open = true;
  let idle: (() => void) | undefined;

  /** A thread that died (out of memory, a fault in native code) is replaced at the next run. */
  const living = async (): Promise<EmbedThread> => {
    const current = await thread.catch(() => undefined);
    if (current?.alive()) return current;
    thread = startEmbedThread(data);
    return thread;
  };

  const run = async (taken: Taken): Promise<void> => {
    try {
      const current = await living();
      taken.deliver(await current.embed(taken.texts), dims);
    } catch (error) {
      taken.fail(error);
    }
    runs--;
    pump();
  };

  const pump = (): void => {
    while (runs < MAX_RUNS) {
      const taken = queue.take(MAX_TEXTS, MAX_UNITS);
      if (taken === undefined) break;
      runs++;
      void run(taken);
    }
    if (runs === 0) idle?.();
  };

  return {
    modelId: modelId(card),
    dims,
    async embed(texts, kind, signal) {
      if (!open) throw new InferenceError("closed", `${name} is closed`, { model: name });
      if (texts.length === 0) return [];
      const prefix = card.prefixes?.[kind] ?? "";
      const asked = prefix === "" ? texts : texts.map((text) => prefix + text);
      const answer = queue.add(asked, { signal, timeoutMs });
      // calls made in the same turn of the event loop go into the same run
      queueMicrotask(pump);
      return answer;
    },
    async close() {
      open = false;
      if (runs > 0 || queue.size() > 0) {
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
      }
      await thread.then(
        (current) => current.close(),
        () => undefined,
      );
    },
  };
}
