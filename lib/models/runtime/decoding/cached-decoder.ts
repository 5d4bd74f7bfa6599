import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-node";
import { at } from "../../../std/collections.ts";
import type { Advance } from "./beam-search.ts";

/** Keys or values of one layer, of shape [rows, heads, length, width]. */
type Cached = { data: Float32Array; length: number };

export type DecoderShape = {
  heads: number;
  /** Numbers of one head. */
  width: number;
};

/** What an encoder made of a text: `length` vectors of `dims` numbers, all of them to be looked at. */
export type Encoded = { states: Float32Array; length: number; dims: number };

const PAST = "past_key_values.";
const PRESENT = "present.";

/**
 * Steps of a decoder as Optimum exports it ("merged"): one graph with a branch that computes everything and one that
 * goes on from the keys and values of the step before. What looks at the encoder's states is computed in the first
 * step and kept. Each step blocks the calling thread while it computes. Throws an Error for a graph of another form.
 */
export function cachedDecoder(
  session: Pick<InferenceSession, "run" | "inputNames">,
  Tensor: typeof OnnxTensor,
  { states, length, dims }: Encoded,
  { heads, width }: DecoderShape,
): Advance {
  const names = session.inputNames.filter((name) => name.startsWith(PAST)).map((name) => name.slice(PAST.length));
  if (names.length === 0 || !session.inputNames.includes("use_cache_branch")) {
    throw new Error("the decoder is none with a cache (decoder_model_merged)");
  }
  const wants = new Set(session.inputNames);
  const unit = heads * width;
  let cache = new Map<string, Cached>(names.map((name) => [name, { data: new Float32Array(), length: 0 }]));
  let first = true;

  return async (choices) => {
    const rows = choices.length;
    const parents = choices.map(({ parent }) => parent);
    // The encoder's are the same for every row.
    const past = new Map(
      [...cache].map(([name, kept]) => {
        const from = isEncoders(name) ? parents.map(() => 0) : parents;
        return [name, { ...kept, data: rowsOf(kept.data, from, unit * kept.length) }];
      }),
    );
    const feeds: Record<string, OnnxTensor> = {
      input_ids: new Tensor(
        "int64",
        BigInt64Array.from(choices, ({ token }) => BigInt(token)),
        [rows, 1],
      ),
      encoder_hidden_states: new Tensor("float32", repeated(states, rows), [rows, length, dims]),
      use_cache_branch: new Tensor("bool", [!first], [1]),
    };
    if (wants.has("encoder_attention_mask")) {
      const mask = new BigInt64Array(rows * length).fill(1n);
      feeds.encoder_attention_mask = new Tensor("int64", mask, [rows, length]);
    }
    for (const [name, { data, length: seen }] of past) {
      feeds[PAST + name] = new Tensor("float32", data, [rows, heads, seen, width]);
    }
    const { logits, ...present } = await session.run(feeds);
    cache = new Map(
      [...past].map(([name, kept]) => {
        const made = present[PRESENT + name];
        // Where the cache is used the graph gives nothing of the encoder's.
        if (!first && isEncoders(name)) return [name, firstRow(kept, unit)];
        if (!(made?.data instanceof Float32Array)) throw new Error(`the decoder gives no ${PRESENT}${name}`);
        const cached = { data: made.data.slice(), length: at(made.dims, 2) };
        return [name, isEncoders(name) ? firstRow(cached, unit) : cached];
      }),
    );
    first = false;
    if (!(logits?.data instanceof Float32Array)) throw new Error("the decoder gives no logits");
    const vocabulary = at(logits.dims, 2);
    const data = logits.data.slice();
    for (const tensor of [logits, ...Object.values(present)]) tensor.dispose();
    return { rows, vocabulary, data };
  };
}

const isEncoders = (name: string): boolean => name.includes(".encoder.");

function firstRow({ data, length }: Cached, unit: number): Cached {
  return { data: data.subarray(0, unit * length), length };
}

function rowsOf(data: Float32Array, rows: readonly number[], size: number): Float32Array {
  if (rows.length === 1 && data.length === size) return data;
  const out = new Float32Array(rows.length * size);
  rows.forEach((row, place) => {
    out.set(data.subarray(row * size, (row + 1) * size), place * size);
  });
  return out;
}

function repeated(states: Float32Array, rows: number): Float32Array {
  return rows === 1 ? states : rowsOf(states, Array<number>(rows).fill(0), states.length);
}
