import { at } from "../../../std/at.ts";
import type { ModelCard } from "../../cards/card.ts";
import { batchSequences } from "../checkworthiness/sequence-batches.ts";
import { notRunnable, openSession, textOf, unusable } from "../../runtime/open-session.ts";
import type { TokenPair } from "../../tokenizers/pair-template.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";
import { tokenFeeds } from "../../tokenizers/token-inputs.ts";
import { readVerified } from "../../cards/verified-file.ts";
import { pairBatch, stretched } from "./pair-batch.ts";
import { logitsIn, readPairGraph } from "./pair-graph.ts";

/** A passage under its query. */
export type Pair = { query: string; passage: string };

/** A cross-encoder in this thread. */
export interface CrossEncoderModel {
  /**
   * The logistic function of each pair's logit, in order. @throws InferenceError `model-invalid` when a logit is no
   * number
   */
  scores(pairs: readonly Pair[], options?: { signal?: AbortSignal }): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** Tokens of a pair, however many more the model could read. */
const LONGEST = 512;

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
  const longest = Math.min(LONGEST, card.max_tokens ?? LONGEST);
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
