import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-node";
import type { ModelCard } from "../../cards/card.ts";
import { readVerified } from "../../cards/verified-file.ts";
import { InferenceError } from "../errors.ts";
import { openSession, textOf, unusable } from "../open-session.ts";
import type { Advance } from "./beam-search.ts";
import { cachedDecoder, type Encoded } from "./cached-decoder.ts";

/** What the configuration of every model of this kind has. */
type Shape = { d_model: number; decoder_attention_heads: number };

/** How the contents of the three JSON files are read; what they throw makes the model invalid. */
export type EncoderDecoderFiles<Config extends Shape, Generation, Front> = {
  config: (content: unknown) => Config;
  generation: (content: unknown) => Generation;
  tokenizer: (content: unknown) => Front;
};

/** An encoder and a decoder with a cache in this thread. */
export type EncoderDecoder<Config extends Shape, Generation, Front> = {
  config: Config;
  generation: Generation;
  tokenizer: Front;
  Tensor: typeof OnnxTensor;
  /** What the encoder makes of its inputs: `length` vectors. @throws InferenceError `model-invalid` */
  encode(inputs: InferenceSession.FeedsType, length: number): Promise<Encoded>;
  /** The steps of the decoder over what was encoded. */
  decode(encoded: Encoded): Advance;
  release(): Promise<void>;
};

/**
 * Opens a model of two graphs as hubs export it: `encoder.onnx`, `decoder.onnx` (merged, with a cache),
 * `tokenizer.json`, `config.json`, `generation_config.json`. Every step blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` (another task, a file of another form)
 */
export async function openEncoderDecoder<Config extends Shape, Generation, Front>(
  { dir, card, task, threads }: { dir: string; card: ModelCard; task: ModelCard["task"]; threads: number },
  files: EncoderDecoderFiles<Config, Generation, Front>,
): Promise<EncoderDecoder<Config, Generation, Front>> {
  if (card.task !== task || card.architecture !== "encoder-decoder") {
    throw new InferenceError("model-invalid", `${card.name} is no model for the task ${task}`, { model: card.name });
  }
  const read = (file: string) => readVerified(dir, card, file);
  const json = async (file: string): Promise<unknown> => JSON.parse(textOf(await read(file)));
  const [encoderBytes, decoderBytes] = [await read("encoder.onnx"), await read("decoder.onnx")];
  const [config, generation, tokenizer] = await Promise.all([
    json("config.json").then(files.config),
    json("generation_config.json").then(files.generation),
    json("tokenizer.json").then(files.tokenizer),
  ]).catch((cause: unknown) => {
    throw cause instanceof InferenceError ? cause : unusable(card, cause);
  });
  const { session: encoder, Tensor } = await openSession(encoderBytes, card, threads, () => undefined);
  const { session: decoder } = await openSession(decoderBytes, card, threads, () => undefined);
  const { d_model: dims, decoder_attention_heads: heads } = config;
  return {
    ...{ config, generation, tokenizer, Tensor },
    async encode(inputs, length) {
      const { last_hidden_state: states } = await encoder.run(inputs);
      if (!(states?.data instanceof Float32Array)) throw unusable(card, new Error("the encoder gives no states"));
      const copy = states.data.slice();
      states.dispose();
      return { states: copy, length, dims };
    },
    decode: (encoded) => cachedDecoder(decoder, Tensor, encoded, { heads, width: dims / heads }),
    async release() {
      await Promise.all([encoder.release(), decoder.release()]);
    },
  };
}
