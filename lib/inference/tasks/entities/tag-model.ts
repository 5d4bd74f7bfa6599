import { at } from "../../../std/at.ts";
import type { ModelCard } from "../../models/card.ts";
import { readVerified } from "../../models/verified-file.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { textOf, unusable } from "../../runtime/open-session.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import type { SentenceScores } from "./chain.ts";
import { type Head, readHeads, readNested } from "./heads.ts";
import { type NestedSpan, nestedSpans } from "./nested-spans.ts";
import { type TaggerSettings, taggerSettings } from "./settings.ts";
import { type TaggedSentence, tagSentence } from "./tag-sentence.ts";
import { openGraphs, type Reading } from "./tagger-graphs.ts";
import { windowsOf } from "./windows.ts";

/** A sentence for the tagger: its tokens, and the head (set of types) to answer by. */
export type TokenSentence = { tokens: readonly string[]; head: string };

/** Instead of the name of a head: the types for nested entities. */
export const NESTED = "nested";

/** A tagger in this thread. */
export interface TagModel {
  /** The known words, folded, numbered from the most frequent one, 0. */
  readonly rank: ReadonlyMap<string, number>;
  /**
   * Tags the sentences of one document, which are read in the light of each other; between two windows it throws when
   * the signal has aborted. @throws InferenceError `model-invalid` for a head that the model does not have
   */
  tag(document: readonly TokenSentence[], options?: { signal?: AbortSignal }): Promise<TaggedSentence[]>;
  /** The nested entities of the sentences of one document. @throws as tag() */
  nested(document: readonly (readonly string[])[], options?: { signal?: AbortSignal }): Promise<NestedSpan[][]>;
  /**
   * For each sentence of a document what tag() gives, or, where its head is {@link NESTED}, what nested() gives.
   * @throws as tag()
   */
  read(
    document: readonly TokenSentence[],
    options?: { signal?: AbortSignal },
  ): Promise<(TaggedSentence | { nested: NestedSpan[] })[]>;
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
  const [words, json, pieces] = await Promise.all([
    readVerified(dir, card, "words.txt"),
    readVerified(dir, card, "tagger.json"),
    loadPieces(dir, card),
  ]);
  const settings = readSettings(card, textOf(json));
  const heads = readHeads(settings);
  const nested = readNested(settings);
  const graphs = await openGraphs(dir, card, threads, pieces);

  const headOf = (name: string): Head => {
    const head = heads.get(name);
    if (head === undefined) throw new InferenceError("model-invalid", `${card.name} has no head ${name}`);
    return head;
  };
  const headTags = (head: Head, own: SentenceScores): TaggedSentence =>
    tagSentence(head, { ...own, offset: own.offset + head.first });

  /** The outputs of the readings for each sentence of a document. */
  const outputsOf = async (
    sentences: readonly (readonly string[])[],
    readings: readonly Reading[],
    signal?: AbortSignal,
  ): Promise<Record<Reading, SentenceScores[]>> => {
    const rows: Record<Reading, Float32Array[]> = { heads: [], nested: [] };
    for (const window of windowsOf(sentences, pieces.tokenizer.idsOf)) {
      signal?.throwIfAborted();
      for (const [reading, found] of await graphs.run(window, readings)) rows[reading].push(found);
    }
    return { heads: bySentence(rows.heads, sentences), nested: bySentence(rows.nested, sentences) };
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
      const outputs = await outputsOf(sentences, ["heads"], signal);
      return asked.map((head, i) => headTags(head, at(outputs.heads, i)));
    },
    async nested(document, { signal } = {}) {
      const outputs = await outputsOf(document, ["nested"], signal);
      return outputs.nested.map((own) => nestedSpans(nested, own));
    },
    async read(document, { signal } = {}) {
      const asked = document.map(({ head }) => (head === NESTED ? undefined : headOf(head)));
      const readings: Reading[] = [];
      if (asked.some((head) => head !== undefined)) readings.push("heads");
      if (asked.includes(undefined)) readings.push("nested");
      const sentences = document.map(({ tokens }) => tokens);
      const outputs = await outputsOf(sentences, readings, signal);
      return asked.map((head, i) =>
        head === undefined
          ? { nested: nestedSpans(nested, at(outputs.nested, i)) }
          : headTags(head, at(outputs.heads, i)),
      );
    },
    release: () => graphs.release(),
  };
}

function readSettings(card: ModelCard, json: string): TaggerSettings {
  try {
    return taggerSettings.parse(JSON.parse(json));
  } catch (cause) {
    throw unusable(card, cause);
  }
}

/** The scores of all windows of a document by its sentences. */
function bySentence(rows: readonly Float32Array[], sentences: readonly (readonly string[])[]): SentenceScores[] {
  const count = sentences.reduce((sum, { length }) => sum + length, 0);
  const scores = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const row of rows) {
    scores.set(row, from);
    from += row.length;
  }
  const stride = scores.length / Math.max(1, count);
  let next = 0;
  return sentences.map(({ length }) => {
    const offset = next * stride;
    next += length;
    return { scores, offset, stride, length };
  });
}
