import { availableParallelism } from "node:os";
import { URL } from "node:url";
import { AudioError, type AudioErrorCode } from "../../audio/decode.ts";
import { modelId } from "../../cards/registry.ts";
import { createModelHost, type ModelOptions, ofRegistry } from "../../runtime/model-host.ts";
import type { HearOptions, Speech, TranscribeTask } from "./whisper-model.ts";

/** Makes text of recordings. */
export interface MachineTranscriber {
  /** `name@revision`. */
  readonly modelId: string;
  /**
   * Returns what is said in a recording, decoded as it is heard. `language` is what is spoken, where that is known.
   * @throws AudioError; InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason
   */
  transcribe(audio: Uint8Array, options?: { language?: string | undefined; signal?: AbortSignal }): Promise<Speech>;
  /** Returns while the thread goes on, whatever it is at. @throws InferenceError `worker-failed` */
  check(): void;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type MachineTranscriberOptions = Omit<ModelOptions, "idleMs" | "background"> & {
  /** Seconds of the longest recording. Default 3 hours. */
  maxSeconds?: number;
};

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createMachineTranscriber(options: MachineTranscriberOptions): Promise<MachineTranscriber> {
  const { registry, model: name = registry.default("transcribe"), maxQueue = 8, logger } = options;
  const { threads = Math.max(1, availableParallelism() >> 1), maxSeconds = 10_800, timeoutMs = 3_600_000 } = options;
  const card = registry.card(name);
  const host = await createModelHost<TranscribeTask, Speech, Speech[]>({
    module: new URL("./whisper-model.ts", import.meta.url),
    ...ofRegistry(registry, name, threads, { maxSeconds } satisfies HearOptions),
    // A short recording does not wait until a long one is over.
    sideBySide: true,
    errors: {
      AudioError: (message, { code }: { code: AudioErrorCode }, cause) => new AudioError(code, message, { cause }),
    },
    units: () => 1,
    unpack: (heard) => heard,
    maxBatch: 1,
    maxQueue,
    timeoutMs,
    logger,
  });
  return {
    modelId: modelId(card),
    async transcribe(audio, { language, signal } = {}) {
      const [heard] = await host.run([{ audio, language }], { signal });
      if (heard === undefined) throw new RangeError("one recording has one result");
      return heard;
    },
    check: () => host.check(),
    close: () => host.close(),
  };
}
