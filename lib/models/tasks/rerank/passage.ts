import { URL } from "node:url";
import type { Background, ThreadsLogger, ThreadsState } from "../../../service/threads/mod.ts";
import { chunkText } from "../../../text/mod.ts";
import { type ModelCard, modelId, type Registry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry, type RunOptions } from "../../runtime/model-host.ts";
import type { EncoderInput } from "./encoder-models.ts";

/** A passage to be judged: a part of an article under its title. */
export type Passage = {
  title: string;
  text: string;
  /** Vectors that a passage reader made of the article's passages beforehand, one after the other. */
  vectors?: Int8Array | undefined;
  /** Of a keyword search for the query, on any scale from 0; none where that did not find the article. */
  keywordScore?: number | undefined;
};

/** Returns the text that is read of a passage. */
export function passageText({ title, text }: Pick<Passage, "title" | "text">): string {
  return title === "" ? text : `${title} ${text}`;
}

/** Passages of an article that are read beforehand, at most. */
const MAX_PASSAGES = 16;

/**
 * Says which passages {@link passagesOf} makes of articles: the first digits of a hash that its test takes and
 * compares.
 */
export const PASSAGES = "e37ccc23";

/**
 * Returns what identifies the vectors that a dual encoder makes of articles beforehand: `name@revision`, the pieces
 * that it reads of a passage, and {@link PASSAGES}. Those that differ in any of them do not compare, or are not of the
 * same passages.
 */
export function vectorsId(card: Pick<ModelCard, "name" | "revision" | "max_tokens">): string {
  return `${modelId(card)}.${card.max_tokens}.${PASSAGES}`;
}

/**
 * Returns the texts that are read of an article beforehand: its first {@link MAX_PASSAGES} chunks, each under its
 * title.
 */
export function passagesOf({ title, content }: { title: string; content: string }): string[] {
  return chunkText(title, content)
    .slice(0, MAX_PASSAGES)
    .map(({ text }) => text);
}

/** Reads queries and passages to vectors that compare, in a thread of its own. */
export interface DualEncoder {
  /** Identifies its model and its vectors: {@link vectorsId}. */
  readonly modelId: string;
  readonly dims: number;
  /**
   * Returns a vector a text, in order: Float32Array of unit length.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  read(texts: readonly EncoderInput[], options?: RunOptions): Promise<Float32Array[]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type DualEncoderOptions = {
  /** Milliseconds of rest after which the model is given back; its first use opens it. Default: it stays. */
  idleMs?: number | undefined;
  registry: Registry;
  /** Threads of one run of the model. Default 1. */
  threads?: number | undefined;
  /** Texts that may wait. */
  maxQueue: number;
  /** Texts of one run: whoever comes later waits for two of them at the least. Default 32. */
  runTexts?: number | undefined;
  /** Milliseconds that a call may take. */
  timeoutMs: number;
  /** Runs the thread at the lowest priority of the machine. */
  background?: Background | undefined;
  logger?: ThreadsLogger | undefined;
};

/** Texts of one run: a call that is abandoned leaves no more than two runs behind it. */
const RUN_TEXTS = 32;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createDualEncoder(name: string, options: DualEncoderOptions): Promise<DualEncoder> {
  const { registry, threads = 1, runTexts = RUN_TEXTS, ...rest } = options;
  const card = registry.card(name);
  const host = await createModelHost<EncoderInput, Float32Array, Float32Array[]>({
    module: new URL("./encoder-models.ts", import.meta.url),
    ...ofRegistry(registry, name, threads),
    units: ({ text }) => text.length,
    unpack: (vectors) => vectors,
    maxBatch: runTexts,
    ...rest,
  });
  return {
    modelId: vectorsId(card),
    dims: card.dims ?? 0,
    read: (texts, options) => host.run(texts, options),
    threads: () => host.threads(),
    close: () => host.close(),
  };
}

/** Reads passages beforehand to vectors that the reranker compares with a query. */
export interface PassageReader {
  /** As that of the reranker whose vectors these are; vectors of different ones do not compare. */
  readonly modelId: string;
  /**
   * Returns a vector a passage, in order: int8, of which the direction alone counts.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  read(passages: readonly string[], signal?: AbortSignal): Promise<Int8Array[]>;
  /** Reads texts of both kinds in the same thread. */
  readonly encoder: DualEncoder;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type PassageReaderOptions = Omit<ModelOptions, "threads" | "maxQueue">;

/** Passages that may wait. */
const MAX_QUEUE = 4096;

/**
 * Starts a thread with the reranking model, after checking its files; undefined for a model that reads passages
 * together with their query alone.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed`
 */
export async function createPassageReader(options: PassageReaderOptions): Promise<PassageReader | undefined> {
  const { registry, model: name = registry.default("rerank"), timeoutMs = 60_000, ...rest } = options;
  const card = registry.card(name);
  if (card.task !== "rerank") {
    throw new InferenceError("model-invalid", `${name} is no reranker`, { model: name });
  }
  if (card.architecture !== "dual-encoder") return undefined;
  const encoder = await createDualEncoder(name, { registry, timeoutMs, maxQueue: MAX_QUEUE, ...rest });
  return {
    modelId: encoder.modelId,
    encoder,
    async read(passages, signal) {
      const vectors = await encoder.read(
        passages.map((text) => ({ kind: "passage", text })),
        { signal },
      );
      return vectors.map(int8);
    },
    threads: () => encoder.threads(),
    close: () => encoder.close(),
  };
}

/** Returns the vector, so that its largest number is 127. */
function int8(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
}
