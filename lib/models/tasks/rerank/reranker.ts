import { availableParallelism } from "node:os";
import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { at, BoundedMap } from "../../../std/mod.ts";
import { queryWords } from "../../../text/mod.ts";
import { modelId } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry, type RunOptions } from "../../runtime/model-host.ts";
import type { EncoderInput, Pair } from "./encoder-models.ts";
import centres from "./centres.json" with { type: "json" };
import { createDualEncoder, type DualEncoder, type Passage, passageText } from "./passage.ts";

/** Pairs of one run: a call that is abandoned leaves no more than two runs behind it. */
const RUN_PAIRS = 8;

/**
 * Starts a thread with a model that reads each passage, title first, together with the query. Its scores are
 * probabilities, between 0 and 1; the order in which passages were found and their keyword scores do not count.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed`
 */
async function createCrossEncoder(name: string, options: Omit<RerankerOptions, "model">): Promise<Reranker> {
  const { registry, maxQueue = 1024, timeoutMs = 30_000, idleMs, logger } = options;
  const { threads = Math.max(1, availableParallelism() >> 1) } = options;
  const card = registry.card(name);
  const host = await createModelHost<Pair, number, Float32Array>({
    module: new URL("./encoder-models.ts", import.meta.url),
    ...ofRegistry(registry, name, threads),
    units: ({ query, passage }) => query.length + passage.length,
    unpack: (scores) => [...scores],
    maxBatch: RUN_PAIRS,
    maxQueue,
    timeoutMs,
    idleMs,
    logger,
  });
  return {
    modelId: modelId(card),
    dims: 0,
    async rerank(query, passages, options) {
      // pairs of like length share runs, so that little is padding
      const texts = passages.map(passageText);
      const order = texts.map((_, place) => place).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b));
      const sortedScores = await host.run(
        order.map((place) => ({ query, passage: texts[place] ?? "" })),
        options,
      );
      const scores = new Float32Array(passages.length);
      order.forEach((place, n) => {
        scores[place] = at(sortedScores, n);
      });
      return scores;
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}

function lengthOf(texts: readonly string[], place: number): number {
  return texts[place]?.length ?? 0;
}

/** Pieces that are read of a passage without vectors: half of what is read beforehand ranks nearly as well. */
const READ_PIECES = 64;

/**
 * Milliseconds that a passage without vectors takes on a busy machine. No more wait than are read in the time of a
 * call: of searches that come together the last are refused, and have their fused order at once instead of after it.
 */
const READ_MS = 40;

/** Texts of one run: a query alone, whose passages have vectors, waits for two runs and not for sixty texts. */
const RUN_TEXTS = 4;

/** Texts whose vectors are cached, 1.5 KB each: a query is asked again for its next neighbour, and its next page. */
const CACHED_TEXTS = 1_000;

/**
 * Holds what a place further down costs, by the logarithm of the place. How it was chosen: nlp/training/isnad_rerank.
 */
const PLACE_COST = 0.015;

/**
 * Holds what a passage's share of the best keyword score counts, times how far that is above the second: a ranking by
 * place does not tell one article that has all words of the query from the first of many that have some. Chosen with
 * {@link PLACE_COST}.
 */
const WORDS = 0.25;

/** Scores are cosines, less this one, times {@link SCALE}: about what is between an answer and none. */
const MIDDLE = 0.8;
const SCALE = 50;

/**
 * Starts a thread with a dual encoder. A passage is as good as the best of its vectors is like the query's; where it
 * has none, its text is read. The order in which passages were found, and a keyword score that none comes near, count
 * beside that.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed`
 */
async function createVectorReranker(name: string, options: Omit<RerankerOptions, "model">): Promise<Reranker> {
  const { timeoutMs = 3_000, maxQueue = Math.ceil(timeoutMs / READ_MS), ...rest } = options;
  const encoder = await createDualEncoder(name, { ...rest, maxQueue, timeoutMs, runTexts: RUN_TEXTS });
  const cached = new BoundedMap<string, Float32Array>(CACHED_TEXTS);
  const keyOf = ({ kind, text }: EncoderInput): string => `${kind} ${text}`;
  /** Reads the query, and the passages that have no vectors. */
  const read = async (query: string, passages: readonly Passage[], options: RunOptions | undefined) => {
    const unread = passages.filter(({ vectors }) => vectors === undefined);
    const inputs: EncoderInput[] = [
      { kind: "query", text: query },
      ...unread.map((passage) => ({ kind: "passage" as const, text: passageText(passage), longest: READ_PIECES })),
    ];
    options?.signal?.throwIfAborted();
    const vectorOf = new Map(inputs.map((input) => [keyOf(input), cached.get(keyOf(input))]));
    const missing = inputs.filter((input) => vectorOf.get(keyOf(input)) === undefined);
    const made = missing.length === 0 ? [] : await encoder.read(missing, options);
    for (const [i, input] of missing.entries()) {
      vectorOf.set(keyOf(input), at(made, i));
      cached.set(keyOf(input), at(made, i));
    }
    const [queryVector = new Float32Array(), ...passageVectors] = inputs.map((input) => vectorOf.get(keyOf(input)));
    let next = 0;
    return {
      queryVector,
      vectors: passages.map(({ vectors }) => vectors ?? passageVectors[next++] ?? new Float32Array()),
    };
  };
  return {
    modelId: encoder.modelId,
    dims: encoder.dims,
    encoder,
    async rerank(query, passages, options) {
      if (passages.length === 0) return new Float32Array();
      const { queryVector, vectors } = await read(query, passages, options);
      const words = byWords(query, passages);
      return Float32Array.from(vectors, (each, place) => {
        const cosine = nearest(queryVector, each);
        return SCALE * (cosine - MIDDLE - PLACE_COST * Math.log1p(place) + WORDS * at(words, place));
      });
    },
    ...(modelId(options.registry.card(name)) === centres.model && {
      async likeness(query: string, passages: readonly Passage[], options?: RunOptions) {
        const { queryVector, vectors } = await read(query, passages, options);
        const asked = centred(queryVector, centres.query);
        return vectors.map((each) => {
          let best = -1;
          for (let start = 0; start + asked.length <= each.length; start += asked.length) {
            const passage = centred(unit(each.subarray(start, start + asked.length)), centres.passage);
            best = Math.max(best, product(asked, passage));
          }
          return best;
        });
      },
    }),
    threads: () => encoder.threads(),
    close: () => encoder.close(),
  };
}

/**
 * Returns what the words of the query say for each passage, 0 to 1: nothing for any where the two best are level. One
 * that alone has any of n words leads by the one of them that it is sure to have, 1/n.
 */
function byWords(query: string, passages: readonly Passage[]): number[] {
  const scores = passages.map(({ keywordScore = 0 }) => keywordScore);
  const [best = 0, second = 0] = scores.toSorted((a, b) => b - a);
  if (best <= 0) return scores.map(() => 0);
  const lead = second > 0 ? (best - second) / best : 1 / Math.max(1, queryWords(query).length);
  return scores.map((score) => (lead * score) / best);
}

/** Returns the best cosine of a vector of unit length with vectors of any length that lie one after the other. */
function nearest(queryVector: Float32Array, vectors: Int8Array | Float32Array): number {
  const dims = queryVector.length;
  let best = -1;
  for (let start = 0; start + dims <= vectors.length; start += dims) {
    let product = 0;
    let square = 0;
    for (let i = 0; i < dims; i++) {
      const value = vectors[start + i] ?? 0;
      product += (queryVector[i] ?? 0) * value;
      square += value * value;
    }
    if (square > 0) best = Math.max(best, product / Math.sqrt(square));
  }
  return best;
}

/**
 * Returns a vector of unit length less the centre of the vectors of its kind and language, to unit length. All vectors
 * of this model lie close together; what is left tells what a text is about.
 */
function centred(vector: Float32Array, centresOfKind: Readonly<Record<string, readonly number[]>>): Float32Array {
  const own = Object.values(centresOfKind).map((centre) => ({ centre, near: product(vector, centre) }));
  const { centre } = own.reduce((best, each) => (each.near > best.near ? each : best));
  return unit(vector.map((value, i) => value - (centre[i] ?? 0)));
}

function unit(vector: Float32Array | Int8Array): Float32Array {
  const length = Math.sqrt(product(vector, vector)) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Judges how well passages answer a query. */
export interface Reranker {
  /** `name@revision`; of a dual encoder with what else its vectors follow from, as `vectorsId` says. */
  readonly modelId: string;
  /** Numbers of a vector that it judges passages by ({@link Passage.vectors}); 0 where it reads texts alone. */
  readonly dims: number;
  /**
   * Returns a score a passage, in order, higher for better; scores of different calls compare roughly. `passages` stand
   * in the order in which they were found, best first: a dual encoder takes that order as evidence too, and keyword
   * scores where they are given. Any strings are allowed. A dual encoder reads the first 128 pieces of a query and 64
   * of a passage that has no vectors, title first; a cross-encoder at most 512 of both.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  rerank(query: string, passages: readonly Passage[], options?: RunOptions): Promise<Float32Array>;
  /**
   * Returns how alike in content the query and each passage are, from -1 to 1, 0 for unrelated ones: the best cosine of
   * its vectors with the query's, each less the centre of its kind and language. It compares across queries and
   * archives. Undefined for a model whose centres are not known. Throws as {@link Reranker.rerank}.
   */
  likeness?(query: string, passages: readonly Passage[], options?: RunOptions): Promise<number[]>;
  /** Reads texts by themselves in the same thread; undefined for a model that reads them together alone. */
  readonly encoder?: DualEncoder | undefined;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type RerankerOptions = Omit<ModelOptions, "background">;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createReranker(options: RerankerOptions): Promise<Reranker> {
  const { registry } = options;
  const name = options.model ?? registry.default("rerank");
  const { task, architecture } = registry.card(name);
  if (task === "rerank" && architecture === "cross-encoder") return createCrossEncoder(name, options);
  if (task === "rerank" && architecture === "dual-encoder") return createVectorReranker(name, options);
  throw new InferenceError("model-invalid", `${name} is no reranker that can be run here`, { model: name });
}
