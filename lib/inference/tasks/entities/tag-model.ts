import type { ModelCard } from "../../models/card.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { openSession, textOf, unusable } from "../../runtime/open-session.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import { readVerified } from "../../models/verified-file.ts";
import { readHeads } from "./heads.ts";
import { taggerSettings } from "./settings.ts";
import { type TaggedSentence, tagSentence } from "./tag-sentence.ts";
import { type Window, windowsOf } from "./windows.ts";

/** A sentence for the tagger: its tokens, and the head (set of types) to answer by. */
export type TokenSentence = { tokens: readonly string[]; head: string };

/** A tagger in this thread. */
export interface TagModel {
  /** The known words, folded, numbered from the most frequent one, 0. */
  readonly rank: ReadonlyMap<string, number>;
  /**
   * Tags the sentences of one document, which are read in the light of each other; between two windows it throws when
   * the signal has aborted. @throws InferenceError `model-invalid` for a head that the model does not have
   */
  tag(document: readonly TokenSentence[], options?: { signal?: AbortSignal }): Promise<TaggedSentence[]>;
  release(): Promise<void>;
}

/**
 * Loads a tagger, and the pieces that it shares with other models, after checking their files; a call blocks the
 * calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadTagModel(dir: string, card: ModelCard, threads: number): Promise<TagModel> {
  if (card.task !== "tag" || card.architecture !== "encoder-chain") {
    throw new InferenceError("model-invalid", `${card.name} is no tagger that can be run here`, { model: card.name });
  }
  const [onnx, words, json, pieces] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "words.txt"),
    readVerified(dir, card, "tagger.json"),
    loadPieces(dir, card),
  ]);
  const opened = await openSession(onnx, card, threads, () =>
    readHeads(taggerSettings.parse(JSON.parse(textOf(json)))),
  );
  const { session, Tensor, front: heads } = opened;

  const run = async ({ ids, firsts }: Window): Promise<Float32Array> => {
    const { scores } = await session.run({
      words: new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]),
      firsts: new Tensor("int32", Int32Array.from(firsts), [firsts.length]),
    });
    const { data } = scores ?? {};
    if (!(data instanceof Float32Array) || data.length % firsts.length !== 0) {
      throw unusable(card, new Error("the model's output is not a row of numbers for each word"));
    }
    return data;
  };

  const headOf = (name: string) => {
    const head = heads.get(name);
    if (head === undefined) throw new InferenceError("model-invalid", `${card.name} has no head ${name}`);
    return head;
  };

  return {
    rank: new Map(
      textOf(words)
        .trimEnd()
        .split("\n")
        .map((word, row) => [word, row]),
    ),
    async tag(document, { signal } = {}) {
      const asked = document.map(({ head }) => headOf(head));
      const sentences = document.map(({ tokens }) => tokens);
      const count = sentences.reduce((sum, { length }) => sum + length, 0);
      let scores = new Float32Array(0);
      let row = 0;
      for (const window of windowsOf(sentences, pieces.tokenizer.idsOf)) {
        signal?.throwIfAborted();
        const found = await run(window);
        const width = found.length / window.firsts.length;
        if (row === 0) scores = new Float32Array(count * width);
        scores.set(found, row * width);
        row += window.firsts.length;
      }
      const stride = scores.length / Math.max(1, count);
      let next = 0;
      return asked.map((head, i) => {
        const length = sentences[i]?.length ?? 0;
        const at = { scores, offset: next * stride + head.first, stride, length };
        next += length;
        return tagSentence(head, at);
      });
    },
    release: () => session.release(),
  };
}
