import type { InferenceSession } from "onnxruntime-node";
import { at } from "../../../std/collections.ts";
import { type ModelCard, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { fourBitBytes, int8Columns } from "../../runtime/four-bit.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { notRunnable, openSession, textOf, unusable } from "../../runtime/onnxruntime.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import {
  createSequenceTokenizer,
  readTokenInputs,
  tokenFeeds,
  type TokenInput,
  type TokenInputName,
  type TokenPair,
  UnknownGraph,
} from "../../tokenizers/sequence-tokenizer.ts";
import { batchSequences } from "../checkworthiness/classify-model.ts";

/** A text to be read: a query, or a passage of which no more than `longest` pieces are read. */
export type EncoderInput = { kind: "query" | "passage"; text: string; longest?: number };

/** Queries and passages to vectors that compare, in this thread. */
export interface DualEncoderModel {
  readonly dims: number;
  /** Returns a vector of unit length; blocks the calling thread while it computes. */
  vector(input: EncoderInput): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** Holds what the graph calls the file with its weights. */
const WEIGHTS = "int8";

/**
 * Loads the model, and the pieces that it shares with other models, after checking their files. Its weights are kept in
 * 4 bits, and given to the graph in 8.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadDualEncoder(dir: string, card: ModelCard, threads: number): Promise<DualEncoderModel> {
  const { dims, prefixes, packed, max_tokens: most } = card;
  if (card.task !== "rerank" || !dims || !prefixes || !packed || !most) {
    throw new InferenceError("model-invalid", `${card.name} is no dual encoder`, { model: card.name });
  }
  const [graph, weights, pieces] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "weights.bin"),
    loadPieces(dir, card),
  ]);
  const shapes = Array.from({ length: packed.layers }, () => packed.matrices).flat();
  if (weights.length !== shapes.reduce((sum, shape) => sum + fourBitBytes(shape), 0)) {
    throw unusable(card, new Error("weights.bin does not hold the matrices that the card names"));
  }
  const files = { [WEIGHTS]: new Uint8Array(int8Columns(weights, shapes).buffer) };
  const { session, Tensor } = await openSession(graph, card, threads, () => undefined, { files, keepMemory: true });
  return {
    dims,
    async vector({ kind, text, longest = most }) {
      const ids = pieces.tokenizer.encode(`${prefixes[kind]}${text}`, Math.min(longest, most));
      const words = new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]);
      const { vector } = await session.run({ words });
      if (!(vector?.data instanceof Float32Array) || vector.data.length !== dims) {
        throw unusable(card, new Error(`the model's output is not ${dims} numbers`));
      }
      const copy = new Float32Array(vector.data);
      vector.dispose();
      return copy;
    },
    release: () => session.release(),
  };
}

/**
 * Returns the inputs of one run over `pairs`, each of shape [pairs, length]: shorter pairs are filled up with the
 * padding token, masked out.
 */
function pairBatch(
  pairs: readonly TokenPair[],
  padding: number,
): Record<TokenInputName, Int32Array> & { length: number } {
  const length = Math.max(...pairs.map(({ ids }) => ids.length));
  const batch = {
    length,
    input_ids: new Int32Array(pairs.length * length).fill(padding),
    attention_mask: new Int32Array(pairs.length * length),
    token_type_ids: new Int32Array(pairs.length * length),
  };
  pairs.forEach(({ ids, types }, row) => {
    batch.input_ids.set(ids, row * length);
    batch.attention_mask.fill(1, row * length, row * length + ids.length);
    batch.token_type_ids.set(types, row * length);
  });
  return batch;
}

/** Returns the pair made as long as `length` by repeating its last token. */
function stretched({ ids, types }: TokenPair, length: number): TokenPair {
  const more = (row: readonly number[]) => [...row, ...new Array<number>(length - row.length).fill(row.at(-1) ?? 0)];
  return { ids: more(ids), types: more(types) };
}

/** Holds what a cross-encoder's graph takes, and which of its outputs are the logits. */
type PairGraph = { inputs: readonly TokenInput[]; output: string };

/**
 * Reads what the graph declares. @throws UnknownGraph for inputs, types and outputs that are not those of a
 * cross-encoder
 */
export function readPairGraph(session: Pick<InferenceSession, "inputMetadata" | "outputMetadata">): PairGraph {
  return { inputs: readTokenInputs(session), output: logitsOf(session.outputMetadata) };
}

/** Returns the output named logits, or the only one. */
function logitsOf(outputs: readonly InferenceSession.ValueMetadata[]): string {
  const output = outputs.find(({ name }) => name === "logits") ?? (outputs.length === 1 ? outputs[0] : undefined);
  if (output === undefined) {
    const names = outputs.map(({ name }) => name).join(", ");
    throw new UnknownGraph(`the graph gives ${names}, and none of them is named logits`);
  }
  if (!output.isTensor || output.type !== "float32") {
    throw new UnknownGraph(
      `the graph gives ${output.name} as ${output.isTensor ? output.type : "no tensor"}, not as float32`,
    );
  }
  const { name, shape } = output;
  const last = shape.at(-1);
  // a dimension with a name is known only once the graph has run
  const wrong = shape.length > 0 && (shape.length !== 2 || (typeof last === "number" && last !== 1 && last !== 2));
  if (wrong) throw new UnknownGraph(unlike(name, shape));
  return name;
}

/**
 * Returns the logit of each of `rows` pairs in what the graph gave: the only one of a row, or how far the second is
 * above the first.
 * @throws UnknownGraph for another shape
 */
export function logitsIn(
  output: string,
  tensor: { data: unknown; dims: readonly number[] } | undefined,
  rows: number,
): number[] {
  const { data, dims = [] } = tensor ?? {};
  const [first, labels = 0] = dims;
  const fits = dims.length === 2 && first === rows && (labels === 1 || labels === 2);
  if (!(data instanceof Float32Array) || !fits) throw new UnknownGraph(unlike(output, dims));
  return Array.from({ length: rows }, (_, row) =>
    labels === 1 ? at(data, row) : at(data, row * 2 + 1) - at(data, row * 2),
  );
}

function unlike(output: string, shape: readonly (number | string)[]): string {
  return `${output} is of shape [${shape.join(", ")}], not [pairs, 1] or [pairs, 2]`;
}

/** A passage under its query. */
export type Pair = { query: string; passage: string };

/** A cross-encoder in this thread. */
export interface CrossEncoderModel {
  /**
   * Returns the logistic function of each pair's logit, in order. @throws InferenceError `model-invalid` when a logit
   * is no number
   */
  scores(pairs: readonly Pair[], options?: { signal?: AbortSignal }): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** Tokens of a pair, however many more the model could read. */
const MAX_PAIR_TOKENS = 512;

/** Cells (pairs × length) of one run: what keeps the activations of a large encoder within tens of megabytes. */
const BATCH_CELLS = 4096;

/**
 * Loads a transformer that reads a query and a passage together, as hubs export it: `input_ids`, `attention_mask` and,
 * where the graph has them, `token_type_ids`, to logits of shape [pairs, 1] or [pairs, 2]. Every run of its session
 * blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`; `model-invalid`, which says what about the graph or the
 * tokenizer is not so
 */
export async function loadCrossEncoder(dir: string, card: ModelCard, threads: number): Promise<CrossEncoderModel> {
  const longest = Math.min(MAX_PAIR_TOKENS, card.max_tokens ?? MAX_PAIR_TOKENS);
  const [weights, vocabulary] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  const opened = await openSession(weights, card, threads, () =>
    createSequenceTokenizer(JSON.parse(textOf(vocabulary))),
  );
  const { session, Tensor, front: tokenizer } = opened;

  const logitsOf = async (pairs: readonly TokenPair[]): Promise<number[]> => {
    const { inputs, output } = readPairGraph(session);
    const { length, ...values } = pairBatch(pairs, tokenizer.padding);
    const feeds = tokenFeeds(inputs, values, [pairs.length, length], Tensor);
    const result = (await session.run(feeds, [output]))[output];
    const logits = logitsIn(output, result, pairs.length);
    result?.dispose();
    return logits;
  };

  try {
    // a run over the longest pair beside a short one shows what the graph does not declare
    const short = tokenizer.encodePair("a", "b", longest);
    await logitsOf([short, stretched(short, longest)]);
  } catch (cause) {
    await session.release();
    throw notRunnable(card, longest, cause);
  }

  return {
    async scores(pairs, { signal } = {}) {
      const encoded = pairs.map(({ query, passage }) => tokenizer.encodePair(query, passage, longest));
      const sequences = encoded.map(({ ids }) => ids);
      const scores = new Float32Array(pairs.length);
      for (const { rows } of batchSequences(sequences, BATCH_CELLS)) {
        signal?.throwIfAborted();
        const logits = await logitsOf(rows.flatMap((row) => encoded[row] ?? []));
        rows.forEach((row, place) => {
          scores[row] = 1 / (1 + Math.exp(-at(logits, place)));
        });
      }
      if (!scores.every(Number.isFinite)) throw unusable(card, new Error("a logit is no number"));
      return scores;
    },
    release: () => session.release(),
  };
}

/** Opens a model of either kind in the thread that runs it. */
export function openModel({
  dir,
  card,
  threads,
}: ModelData): Promise<
  ThreadModel<EncoderInput, Float32Array<ArrayBuffer>[]> | ThreadModel<Pair, Float32Array<ArrayBuffer>>
> {
  return card.architecture === "cross-encoder"
    ? openCrossEncoder(dir, card, threads)
    : openDualEncoder(dir, card, threads);
}

async function openDualEncoder(
  ...model: Parameters<typeof loadDualEncoder>
): Promise<ThreadModel<EncoderInput, Float32Array<ArrayBuffer>[]>> {
  const { vector, release } = await loadDualEncoder(...model);
  return {
    async run(batch, { signal }) {
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const input of batch) {
        signal.throwIfAborted();
        vectors.push(await vector(input));
      }
      return vectors;
    },
    release,
    transfer: (vectors) => vectors.map(({ buffer }) => buffer),
  };
}

async function openCrossEncoder(
  ...model: Parameters<typeof loadCrossEncoder>
): Promise<ThreadModel<Pair, Float32Array<ArrayBuffer>>> {
  const { scores, release } = await loadCrossEncoder(...model);
  return { run: (batch, context) => scores(batch, context), release, transfer: ({ buffer }) => [buffer] };
}
