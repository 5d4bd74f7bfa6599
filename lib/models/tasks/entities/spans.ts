/** Returns the spans in a sentence of BIO tags. An `I-` that follows no tag of its type begins a span. */
export function spansOf(tags: readonly string[]): Omit<TagSpan, "probability">[] {
  const spans: Omit<TagSpan, "probability">[] = [];
  let open: { type: string; start: number; end: number } | undefined;
  tags.forEach((tag, i) => {
    const type = tag.slice(2);
    if (tag.startsWith("I-") && open?.type === type) {
      open.end = i + 1;
      return;
    }
    open = tag === "O" ? undefined : { type, start: i, end: i + 1 };
    if (open !== undefined) spans.push(open);
  });
  return spans;
}

/** A linear-chain CRF over `labels` (BIO tags): scores of the first label and of moves from one label to the next,
 * `moves[from * labels.length + to]`. */
export type Chain = { labels: readonly string[]; starts: Float32Array; moves: Float32Array };

/**
 * A span of tags: tokens from `start` to `end` (exclusive) of the sentence, and the probability that exactly it is
 * there.
 */
export type TagSpan = { type: string; start: number; end: number; probability: number };

/** Scores of one sentence: `length` rows of the chain's labels, from `offset` on, a row every `stride` numbers. */
export type SentenceScores = { scores: Float32Array; offset: number; stride: number; length: number };

/** Returns the labels of the best path through a sentence, by number (Viterbi, 1967). */
export function bestPath(chain: Chain, { scores, offset, stride, length }: SentenceScores): number[] {
  const size = chain.labels.length;
  const back = new Int16Array(length * size);
  let best = new Float64Array(size);
  let next = new Float64Array(size);
  for (let j = 0; j < size; j++) best[j] = (chain.starts[j] ?? 0) + (scores[offset + j] ?? 0);
  for (let t = 1; t < length; t++) {
    for (let j = 0; j < size; j++) {
      let high = Number.NEGATIVE_INFINITY;
      let from = 0;
      for (let i = 0; i < size; i++) {
        const value = (best[i] ?? 0) + (chain.moves[i * size + j] ?? 0);
        if (value > high) {
          high = value;
          from = i;
        }
      }
      next[j] = high + (scores[offset + t * stride + j] ?? 0);
      back[t * size + j] = from;
    }
    [best, next] = [next, best];
  }
  const path = new Array<number>(length).fill(0);
  let last = best.indexOf(Math.max(...best));
  for (let t = length - 1; t >= 0; t--) {
    path[t] = last;
    last = back[t * size + last] ?? 0;
  }
  return path;
}

/**
 * Returns the probability of each span under the CRF: the share of all paths that begin it, go through it and end it
 * just there (forward-backward; Lafferty, McCallum and Pereira, 2001). Spans of one token to the whole sentence. What a
 * step says is divided by its sum (Rabiner, 1989), which costs a power a score instead of one a move.
 */
export function withProbabilities(
  chain: Chain,
  place: SentenceScores,
  spans: readonly Omit<TagSpan, "probability">[],
): TagSpan[] {
  if (spans.length === 0) return [];
  const size = chain.labels.length;
  const { length } = place;
  const moves = Float64Array.from(chain.moves, Math.exp);
  const powers = powersOf(place, size);
  const forward = new Float64Array(length * size);
  const backward = new Float64Array(length * size).fill(1);
  const sums = new Float64Array(length);
  for (let t = 0; t < length; t++) {
    let sum = 0;
    for (let j = 0; j < size; j++) {
      let into = t === 0 ? Math.exp(chain.starts[j] ?? 0) : 0;
      if (t > 0) for (let i = 0; i < size; i++) into += (forward[(t - 1) * size + i] ?? 0) * (moves[i * size + j] ?? 0);
      const value = into * (powers[t * size + j] ?? 0);
      forward[t * size + j] = value;
      sum += value;
    }
    sums[t] = sum || Number.MIN_VALUE;
    for (let j = 0; j < size; j++) forward[t * size + j] = (forward[t * size + j] ?? 0) / (sums[t] ?? 0);
  }
  const after = (t: number, i: number, j: number): number =>
    ((moves[i * size + j] ?? 0) * (powers[t * size + j] ?? 0) * (backward[t * size + j] ?? 0)) / (sums[t] ?? 0);
  for (let t = length - 2; t >= 0; t--) {
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += after(t + 1, i, j);
      backward[t * size + i] = sum;
    }
  }
  return spans.map((span) => {
    const inside = chain.labels.indexOf(`I-${span.type}`);
    let last = chain.labels.indexOf(`B-${span.type}`);
    let probability = forward[span.start * size + last] ?? 0;
    for (let t = span.start + 1; t < span.end; t++) {
      probability *= ((moves[last * size + inside] ?? 0) * (powers[t * size + inside] ?? 0)) / (sums[t] ?? 0);
      last = inside;
    }
    if (span.end < length) {
      let ends = 0;
      for (let j = 0; j < size; j++) if (j !== inside) ends += after(span.end, last, j);
      probability *= ends;
    }
    return { ...span, probability: Math.min(1, probability) };
  });
}

/** e to the power of each score, as a share of the highest one of its token. */
function powersOf({ scores, offset, stride, length }: SentenceScores, size: number): Float64Array {
  const powers = new Float64Array(length * size);
  for (let t = 0; t < length; t++) {
    const row = scores.subarray(offset + t * stride, offset + t * stride + size);
    let high = Number.NEGATIVE_INFINITY;
    for (const score of row) if (score > high) high = score;
    for (let j = 0; j < size; j++) powers[t * size + j] = Math.exp((row[j] ?? 0) - high);
  }
  return powers;
}

/** The answer for one sentence: a BIO tag a token, and the spans with calibrated probabilities. */
export type TaggedSentence = { tags: string[]; spans: TagSpan[] };

/** Returns the best tags of a sentence under a head's chain, and its spans. */
export function tagSentence(head: Head, at: SentenceScores): TaggedSentence {
  if (at.length === 0) return { tags: [], spans: [] };
  const tags = bestPath(head, at).map((label) => head.labels[label] ?? "O");
  const spans = withProbabilities(head, at, spansOf(tags));
  return { tags, spans: spans.map((span) => ({ ...span, probability: calibrated(span.probability, head) })) };
}

function calibrated(probability: number, { scale, bias }: Head): number {
  const p = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return 1 / (1 + Math.exp(-(scale * Math.log(p / (1 - p)) + bias)));
}

/** An entity of a sentence: tokens from `start` to `end` (exclusive); `cut` letters of the first stand before it. */
export type NestedSpan = TagSpan & { cut: number };

/** A set of types with its place among the model's outputs, and what makes a span's probability its confidence. */
export type Head = Chain & { first: number; scale: number; bias: number };

/**
 * Says how nested entities are read: a head of O, B and I for each type, and the outputs for letters before an entity.
 */
export type NestedHeads = { types: readonly Head[]; cuts: { first: number; count: number } };

/** A sentence for the tagger: its tokens, and the head (set of types) to answer by. */
export type TokenSentence = { tokens: readonly string[]; head: string };

/** Numbers the known words, folded, from the most frequent one, 0. */
export type WordRanks = Pick<ReadonlyMap<string, number>, "get" | "has">;

/** A tagger in this thread. */
export interface TagModel {
  readonly rank: WordRanks;
  /**
   * Tags the sentences of one document, which are read in the light of each other; between two windows it gives the
   * event loop its turn, and throws when the signal has aborted.
   * @throws InferenceError `model-invalid` for a head that the model does not have
   */
  tag(document: readonly TokenSentence[], options?: { signal?: AbortSignal }): Promise<TaggedSentence[]>;
  /** Returns the nested entities of the sentences of one document. @throws as tag() */
  nested(document: readonly (readonly string[])[], options?: { signal?: AbortSignal }): Promise<NestedSpan[][]>;
  /**
   * For each sentence of a document what tag() gives, or, where its head is {@link NESTED}, what nested() gives; the
   * sentences of either kind are read in the light of each other.
   * @throws as tag()
   */
  read(
    document: readonly TokenSentence[],
    options?: { signal?: AbortSignal },
  ): Promise<(TaggedSentence | { nested: NestedSpan[] })[]>;
  release(): Promise<void>;
}
