import { z } from "zod";
import type { ModelCard } from "../../cards/registry.ts";
import { beamSearch, openEncoderDecoder } from "../../runtime/decoding/encoder-decoder.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { notRunnable } from "../../runtime/onnxruntime.ts";
import { createReferenceTokenizer } from "../../tokenizers/text-tokenizer.ts";

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
export type SearchOptions = { beams: number };

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
