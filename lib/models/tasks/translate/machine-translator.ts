import { availableParallelism } from "node:os";
import { URL } from "node:url";
import { z } from "zod";
import { sentenceUnits } from "../../../text/sentences.ts";
import { type ModelCard, modelId } from "../../cards/registry.ts";
import { beamSearch, openEncoderDecoder } from "../../runtime/decoding/encoder-decoder.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry } from "../../runtime/model-host.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { notRunnable } from "../../runtime/onnxruntime.ts";
import { createReferenceTokenizer } from "../../tokenizers/text-tokenizer.ts";

/** UTF-16 units of a piece, at most: no model's longest sequence is passed, not even by a token for every letter. */
export const MAX_PIECE_UNITS = 400;

/** A text in pieces that are translated one by one, and what stands between them: one more than there are pieces. */
type CutText = { pieces: string[]; between: string[] };

/**
 * Cuts a text into its sentences, and a sentence that is too long at a blank, after a comma or semicolon where there is
 * one in its second half. White space between sentences, line feeds among it, is kept.
 */
export function cutText(text: string): CutText {
  const pieces: string[] = [];
  const between: string[] = [];
  let at = 0;
  for (const { start, end } of sentenceUnits(text).flatMap((span) => parts(text, span.start, span.end))) {
    between.push(text.slice(at, start));
    pieces.push(text.slice(start, end));
    at = end;
  }
  between.push(text.slice(at));
  return { pieces, between };
}

/** Returns the text of pieces that were translated. */
export function joinText({ between }: Pick<CutText, "between">, pieces: readonly string[]): string {
  return between.map((gap, i) => gap + (pieces[i] ?? "")).join("");
}

function parts(text: string, start: number, end: number): { start: number; end: number }[] {
  const cut: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > MAX_PIECE_UNITS) {
    const to = from + cutAt(text.slice(from, from + MAX_PIECE_UNITS));
    cut.push({ start: from, end: to });
    from = to;
    while (from < end && /\s/.test(text[from] ?? "")) from++;
  }
  if (from < end) cut.push({ start: from, end });
  return cut;
}

/** Tells where a stretch is cut: after its last pause, else at its last blank, else at its end but in no character. */
function cutAt(stretch: string): number {
  const pause = Math.max(...[",", ";", "\u060c", "\u061b", ":"].map((mark) => stretch.lastIndexOf(`${mark} `)));
  if (pause > stretch.length / 2) return pause + 1;
  const blank = stretch.search(/\s\S*$/);
  if (blank > 0) return blank;
  return /[\uD800-\uDBFF]$/.test(stretch) ? stretch.length - 1 : stretch.length;
}

/** Translates from one language into another. */
export interface MachineTranslator {
  /** `name@revision`. */
  readonly modelId: string;
  readonly from: string;
  readonly to: string;
  /**
   * Returns the translation of a text of any length, sentence by sentence; what stands between them is kept.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  translate(text: string, signal?: AbortSignal): Promise<string>;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type MachineTranslatorOptions = Pick<ModelOptions, "registry" | "threads" | "maxQueue" | "timeoutMs" | "logger"> & {
  model: string;
  /** Sequences that the search follows. Default 4. */
  beams?: number;
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
    module: new URL(import.meta.url),
    ...ofRegistry(registry, name, threads, { beams } satisfies SearchOptions),
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
        texts.push(...(await host.run(cut.pieces.slice(at, at + AT_A_TIME), { signal })));
      }
      return joinText(cut, texts);
    },
    close: () => host.close(),
  };
}

/** A translation model in this thread. */
interface TranslateModel {
  /** Returns the translation of a sentence; it ends when the signal aborts, with its reason. */
  translate(text: string, options: { beams: number; signal?: AbortSignal }): Promise<string>;
  release(): Promise<void>;
}

/** Tokens of a translation, at most: so many for each of the text, and as many more. */
const GROWTH = 3;
const MORE = 30;

const Config = z.object({ d_model: z.int().positive(), decoder_attention_heads: z.int().positive() });
const Generation = z.object({
  decoder_start_token_id: z.int(),
  eos_token_id: z.int(),
  pad_token_id: z.int().optional(),
  bad_words_ids: z.array(z.array(z.int())).nullish(),
  max_length: z.int().min(2).default(512),
});

/**
 * Loads a model of the Marian family as hubs export it. Every step blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadTranslateModel(dir: string, card: ModelCard, threads: number): Promise<TranslateModel> {
  const opened = await openEncoderDecoder(
    { dir, card, task: "translate", threads },
    {
      config: (content) => Config.parse(content),
      generation: (content) => Generation.parse(content),
      tokenizer: (content) => createReferenceTokenizer(z.looseObject({}).parse(content)),
    },
  );
  const { generation, tokenizer, Tensor } = opened;
  const settings = {
    start: generation.decoder_start_token_id,
    end: generation.eos_token_id,
    banned: (generation.bad_words_ids ?? []).flatMap((words) => (words.length === 1 ? words : [])),
  };

  const model: TranslateModel = {
    async translate(text, { beams, signal }) {
      const { ids } = tokenizer.encode(text);
      const shape = [1, ids.length];
      const inputs = {
        input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      };
      const advance = opened.decode(await opened.encode(inputs, ids.length));
      const outputIds = await beamSearch(advance, {
        ...settings,
        beams,
        longest: Math.min(generation.max_length, GROWTH * ids.length + MORE),
        check: () => signal?.throwIfAborted(),
      });
      return outputIds.length === 0 ? "" : tokenizer.decode(outputIds, { skip_special_tokens: true }).trim();
    },
    release: () => opened.release(),
  };
  try {
    // One translation shows what the graphs do not declare.
    await model.translate("a", { beams: 2 });
  } catch (cause) {
    await model.release();
    throw notRunnable(card, 2, cause);
  }
  return model;
}

/** Says how many sequences the search for a translation follows. */
type SearchOptions = { beams: number };

/** Opens the model in the thread that runs it. */
export async function openModel({
  dir,
  card,
  threads,
  beams,
}: ModelData & SearchOptions): Promise<ThreadModel<string, string[]>> {
  const model = await loadTranslateModel(dir, card, threads);
  return {
    async run(batch, { signal }) {
      const texts: string[] = [];
      for (const text of batch) texts.push(await model.translate(text, { beams, signal }));
      return texts;
    },
    release: () => model.release(),
  };
}
