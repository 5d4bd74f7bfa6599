import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { modelId } from "../../cards/registry.ts";
import { createModelHost, type ModelOptions, type RunOptions } from "../../runtime/model-host.ts";
import type { ModelData } from "../../runtime/model-worker.ts";
import type { ReaderInput } from "./reader-worker.ts";

/** Reads questions and sentences together, in a thread of its own. */
export interface Reader {
  /** `name@revision` */
  readonly modelId: string;
  /**
   * Returns a score a sentence, in order: the logarithm of the odds that it answers, higher for better. Any strings are
   * allowed; of a question 40 pieces are read, of a headline 24, of all together 128.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  read(question: string, sentences: readonly Omit<ReaderInput, "question">[], options?: RunOptions): Promise<number[]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type ReaderOptions = Omit<ModelOptions, "maxQueue" | "background">;

/** Sentences of one run: a call that is abandoned leaves no more than two runs behind it. */
const RUN_SENTENCES = 8;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createReader(options: ReaderOptions): Promise<Reader> {
  const { registry, model: name = registry.default("read"), threads = 1, ...rest } = options;
  const card = registry.card(name);
  const host = await createModelHost<ReaderInput, number, Float32Array>({
    worker: new URL("./reader-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads } satisfies ModelData,
    model: name,
    verify: () => registry.verify(name),
    isShipped: registry.isShipped(name),
    units: ({ question, title, text }) => question.length + title.length + text.length,
    unpack: (scores) => [...scores],
    maxBatch: RUN_SENTENCES,
    ...rest,
  });
  return {
    modelId: modelId(card),
    read: (question, sentences, runOptions) =>
      host.run(
        sentences.map((sentence) => ({ ...sentence, question })),
        runOptions,
      ),
    threads: () => host.threads(),
    close: () => host.close(),
  };
}
