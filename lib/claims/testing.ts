import type { Embedder, Tagger } from "../models/mod.ts";
import { queryWords } from "../text/mod.ts";
import type { ClaimParts } from "./find.ts";

/** A classifier that finds a sentence with a digit worth a check, the more so the more it has. */
export const testClassifier: NonNullable<ClaimParts["classifier"]> = {
  modelId: "check@1",
  keeps: () => 0.5,
  classify: async (sentences) => sentences.map((text) => Math.min(1, (text.match(/\d/g)?.length ?? 0) / 2)),
};

const DIMS = 256;

/** An embedder by words: texts that share words are near. */
export const wordEmbedder: Embedder = {
  modelId: "words@1",
  dims: DIMS,
  async embed(texts) {
    return texts.map((text) => {
      const vector = new Float32Array(DIMS);
      for (const { terms } of queryWords(text)) {
        let place = 7;
        for (const letter of terms.stems[0] ?? "") place = (place * 31 + (letter.codePointAt(0) ?? 0)) % DIMS;
        vector[place] = (vector[place] ?? 0) + 1;
      }
      return vector;
    });
  },
  threads: () => ({ threads: 1, alive: 1, failing: 0, restarts: 0, lastError: undefined }),
  close: async () => undefined,
};

/** A tagger that finds nothing. */
export const noNames: Tagger = {
  modelId: "names@1",
  tag: async (texts) => texts.map(() => []),
  nested: async () => [],
  tagTokens: async () => [],
  threads: () => ({ threads: 1, alive: 1, failing: 0, restarts: 0, lastError: undefined }),
  close: async () => undefined,
};
