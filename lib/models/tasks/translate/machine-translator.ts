import { availableParallelism } from "node:os";
import { URL } from "node:url";
import type { ThreadsLogger } from "../../../service/threads/mod.ts";
import { modelId } from "../../cards/card.ts";
import type { Registry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost } from "../../runtime/model-host.ts";
import { cutText, joinText } from "./cut-text.ts";
import type { TranslateWorkerData } from "./translate-worker.ts";

/** Translates from one language into another. */
export interface MachineTranslator {
  /** `name@revision`. */
  readonly modelId: string;
  readonly from: string;
  readonly to: string;
  /**
   * The translation of a text of any length, sentence by sentence; what stands between them is kept.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  translate(text: string, signal?: AbortSignal): Promise<string>;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type MachineTranslatorOptions = {
  registry: Registry;
  model: string;
  /** Threads of one run of the model. Default: half of the processors. */
  threads?: number;
  /** Sequences that the search follows. Default 4. */
  beams?: number;
  /** Pieces of all texts that may wait. Default 4,096; of one text no more than 64 wait at a time. */
  maxQueue?: number;
  /** Milliseconds that 64 pieces of a text may take. Default 10 minutes. */
  timeoutMs?: number;
  logger?: ThreadsLogger;
};

/** Pieces of one text that wait at a time: a long one leaves the queue to others. */
const AT_A_TIME = 64;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createMachineTranslator(options: MachineTranslatorOptions): Promise<MachineTranslator> {
  const { registry, model: name, beams = 4, maxQueue = 4096, timeoutMs = 600_000, logger } = options;
  const { threads = Math.max(1, availableParallelism() >> 1) } = options;
  const card = registry.card(name);
  const { translates } = card;
  if (translates === undefined) {
    throw new InferenceError("model-invalid", `${name}: the card does not say what it translates`, { model: name });
  }
  const host = await createModelHost<string, string, string[]>({
    worker: new URL("./translate-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads, beams } satisfies TranslateWorkerData,
    model: name,
    units: (piece) => piece.length,
    unpack: (texts) => texts,
    // Short texts of others come between the sentences of a long one.
    maxBatch: 1,
    maxQueue,
    timeoutMs,
    logger,
  });
  return {
    modelId: modelId(card),
    ...translates,
    async translate(text, signal) {
      const cut = cutText(text);
      const texts: string[] = [];
      for (let at = 0; at < cut.pieces.length; at += AT_A_TIME) {
        texts.push(...(await host.run(cut.pieces.slice(at, at + AT_A_TIME), signal)));
      }
      return joinText(cut, texts);
    },
    close: () => host.close(),
  };
}
