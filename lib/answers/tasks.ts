import type { AudioFormat } from "../models/audio/mod.ts";

/** A translation, and by which model where the translator has several. */
export type Translation = { text: string; sourceLang: string; targetLang: string; model?: string };

/** Translates texts. Languages are tags such as `ar` and `en`. */
export type Translator = {
  /**
   * Throws {@link import("./error.ts").ModelNotInstalled} for languages that it cannot do, {@link
   * import("./error.ts").LlmError}, or what the models throw.
   */
  translate(call: {
    text: string;
    sourceLang: string;
    targetLang: string;
    requestId?: string | undefined;
    signal: AbortSignal;
  }): Promise<Translation>;
};

/** A stretch of speech, in seconds from the beginning. */
export type Segment = { start: number; end: number; text: string };

/** What was said. `language` is a tag such as `ar`, null where nobody told. */
export type Transcript = { text: string; language: string | null; durationS: number | null; segments: Segment[] };

/** Makes text of speech. */
export type Transcriber = {
  /**
   * Throws {@link import("./error.ts").LlmError}, {@link import("../models/audio/error.ts").AudioError}, or what models
   * throw.
   */
  transcribe(call: {
    audio: Uint8Array;
    format: AudioFormat;
    /** What is spoken, where that is known. */
    language?: string | undefined;
    requestId?: string | undefined;
    signal: AbortSignal;
  }): Promise<Transcript>;
};
