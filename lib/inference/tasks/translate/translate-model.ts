import { z } from "zod";
import type { ModelCard } from "../../models/card.ts";
import { readVerified } from "../../models/verified-file.ts";
import { beamSearch } from "../../runtime/decoding/beam-search.ts";
import { cachedDecoder, type Encoded } from "../../runtime/decoding/cached-decoder.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { notRunnable, openSession, textOf, unusable } from "../../runtime/open-session.ts";
import { createReferenceTokenizer } from "../../tokenizers/reference-tokenizer.ts";

/** A translation model in this thread. */
export interface TranslateModel {
  /** The translation of a sentence; it ends when the signal aborts, with its reason. */
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
 * Loads a model of the Marian family as hubs export it: `encoder.onnx`, `decoder.onnx` (merged, with a cache),
 * `tokenizer.json`, `config.json`, `generation_config.json`. Every step blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadTranslateModel(dir: string, card: ModelCard, threads: number): Promise<TranslateModel> {
  if (card.task !== "translate" || card.architecture !== "encoder-decoder") {
    throw new InferenceError("model-invalid", `${card.name} is no model that translates`, { model: card.name });
  }
  const read = (file: string) => readVerified(dir, card, file);
  const json = async (file: string): Promise<unknown> => JSON.parse(textOf(await read(file)));
  const [encoderBytes, decoderBytes] = [await read("encoder.onnx"), await read("decoder.onnx")];
  const [config, generation, vocabulary] = await Promise.all([
    json("config.json").then((value) => Config.parse(value)),
    json("generation_config.json").then((value) => Generation.parse(value)),
    json("tokenizer.json").then((value) => z.looseObject({}).parse(value)),
  ]).catch((cause: unknown) => {
    throw cause instanceof InferenceError ? cause : unusable(card, cause);
  });
  const encoder = await openSession(encoderBytes, card, threads, () => createReferenceTokenizer(vocabulary));
  const decoder = await openSession(decoderBytes, card, threads, () => undefined);
  const { Tensor, front: tokenizer } = encoder;
  const { d_model: dims, decoder_attention_heads: heads } = config;
  const settings = {
    start: generation.decoder_start_token_id,
    end: generation.eos_token_id,
    banned: (generation.bad_words_ids ?? []).flatMap((words) => (words.length === 1 ? words : [])),
  };

  async function encode(ids: readonly number[]): Promise<Encoded> {
    const shape = [1, ids.length];
    const { last_hidden_state: states } = await encoder.session.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    });
    if (!(states?.data instanceof Float32Array)) throw unusable(card, new Error("the encoder gives no states"));
    const copy = states.data.slice();
    states.dispose();
    return { states: copy, length: ids.length, dims };
  }

  const model: TranslateModel = {
    async translate(text, { beams, signal }) {
      const { ids } = tokenizer.encode(text);
      const encoded = await encode(ids);
      const advance = cachedDecoder(decoder.session, Tensor, encoded, { heads, width: dims / heads });
      const found = await beamSearch(advance, {
        ...settings,
        beams,
        longest: Math.min(generation.max_length, GROWTH * ids.length + MORE),
        check: () => signal?.throwIfAborted(),
      });
      return found.length === 0 ? "" : tokenizer.decode(found, { skip_special_tokens: true }).trim();
    },
    async release() {
      await Promise.all([encoder.session.release(), decoder.session.release()]);
    },
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
