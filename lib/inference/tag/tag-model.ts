import type { ModelCard } from "../card.ts";
import { InferenceError } from "../errors.ts";
import { openSession, textOf, unusable } from "../open-session.ts";
import { readVerified } from "../verified-file.ts";
import { type Lexicon, readLexicon } from "./lexicon.ts";
import { readTagger } from "./read-tagger.ts";
import { taggerSettings } from "./settings.ts";
import { type Score, type TaggedSentence, tagSentences } from "./tag-sentences.ts";

/** A sentence for the tagger: its tokens, and the chain (set of types) to answer by. */
export type TokenSentence = { tokens: readonly string[]; head: string };

/** A tagger in this thread. */
export interface TagModel {
  readonly lexicon: Lexicon;
  /** @throws InferenceError `model-invalid` for a head that the model does not have */
  tag(sentences: readonly TokenSentence[]): Promise<TaggedSentence[]>;
  release(): Promise<void>;
}

/** Tokens of one run: few enough for the processor's second-level cache. */
const RUN_TOKENS = 512;

/** Loads a tagger after checking its files; a call blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` */
export async function loadTagModel(dir: string, card: ModelCard, threads: number): Promise<TagModel> {
  if (card.task !== "tag" || card.architecture !== "stacked-chains") {
    throw new InferenceError("model-invalid", `${card.name} is no tagger that can be run here`, { model: card.name });
  }
  const [onnx, words, features, json] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "words.txt"),
    readVerified(dir, card, "features.bin"),
    readVerified(dir, card, "tagger.json"),
  ]);
  const opened = await openSession(onnx, card, threads, () =>
    readTagger(taggerSettings.parse(JSON.parse(textOf(json))), features),
  );
  const { session, Tensor, front: parts } = opened;
  const lexicon = readLexicon(textOf(words));

  const run = async (rows: readonly (readonly number[])[]): Promise<Float32Array> => {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
    const ids = new Int32Array(rows.length * width); // row 0 of the table is empty
    rows.forEach((row, i) => {
      ids.set(row, i * width);
    });
    const { scores } = await session.run({ ids: new Tensor("int32", ids, [rows.length, width]) });
    if (!(scores?.data instanceof Float32Array))
      throw unusable(card, new Error("the model's output is no row of numbers"));
    return scores.data;
  };

  const score: Score = async (rows) => {
    const parts: Float32Array[] = [];
    for (let i = 0; i < rows.length; i += RUN_TOKENS) parts.push(await run(rows.slice(i, i + RUN_TOKENS)));
    const scores = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      scores.set(part, at);
      at += part.length;
    }
    return { scores, stride: rows.length === 0 ? 0 : scores.length / rows.length };
  };

  return {
    lexicon,
    async tag(sentences) {
      const out: TaggedSentence[] = sentences.map(() => ({ tags: [], spans: [] }));
      for (const head of new Set(sentences.map((sentence) => sentence.head))) {
        const chain = parts.chains.get(head);
        if (chain === undefined) throw new InferenceError("model-invalid", `${card.name} has no head ${head}`);
        const places = sentences.flatMap((sentence, i) =>
          sentence.head === head && sentence.tokens.length > 0 ? [i] : [],
        );
        const tokens = places.map((place) => sentences[place]?.tokens ?? []);
        const tagged = await tagSentences(parts, lexicon, score, chain, tokens);
        tagged.forEach((answer, i) => {
          out[places[i] ?? 0] = answer;
        });
      }
      return out;
    },
    release: () => session.release(),
  };
}
