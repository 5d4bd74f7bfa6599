import { decodeAudio } from "../../audio/decode.ts";
import { type ModelData, serveModel } from "../../runtime/model-worker.ts";
import { SPEECH_RATE } from "./log-mel.ts";
import { loadWhisperModel, type Speech } from "./whisper-model.ts";

/** Holds what the Worker is started with. */
export type TranscribeWorkerData = ModelData & { maxSeconds: number };

/** A recording in the Worker's inbox. */
export type TranscribeTask = { audio: Uint8Array; language?: string | undefined };

// A short recording does not wait until a long one is over.
serveModel(
  async ({ dir, card, threads, maxSeconds }: TranscribeWorkerData) => {
    const model = await loadWhisperModel(dir, card, threads);
    return {
      async run(batch: readonly TranscribeTask[], { signal }) {
        const heard: Speech[] = [];
        for (const { audio, language } of batch) {
          const sound = decodeAudio(audio, { rate: SPEECH_RATE, maxSeconds, signal });
          heard.push(await model.transcribe(sound, { language, signal }));
        }
        return heard;
      },
      release: () => model.release(),
    };
  },
  { sideBySide: true },
);
