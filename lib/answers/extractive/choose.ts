import { cosine } from "../summary/features.ts";
import type { RankedSentence } from "./rank-sentences.ts";

/** Sentences that an answer quotes, at most. */
export const MAX_QUOTED_SENTENCES = 3;
/** Below this score the best sentence does not answer. */
const ANSWERS = 0;
/** A further sentence is quoted when its score is at most this much below the best one's. */
const NEAR = 4;
/** A sentence this like a better one (a cosine) says the same again. */
const SAME = 0.93;

/** The sentences to quote, best first; none when nothing answers. */
export function chooseSentences(ranked: readonly RankedSentence[], most = MAX_QUOTED_SENTENCES): RankedSentence[] {
  const [best] = ranked;
  if (best === undefined || best.score < ANSWERS) return [];
  const chosen: RankedSentence[] = [];
  for (const sentence of ranked) {
    if (chosen.length === most || sentence.score < best.score - NEAR) break;
    if (!chosen.some((better) => isSame(better, sentence))) chosen.push(sentence);
  }
  return chosen;
}

function isSame(a: RankedSentence, b: RankedSentence): boolean {
  return cosine(a.vector, b.vector) > SAME || a.text.includes(b.text);
}
