import { foldToken } from "./fold-token.ts";
import { caseOf, shapeOf } from "./shapes.ts";
import { stemRow } from "./stem-row.ts";

/** What is known of a word. `stem` and the clusters are `-` where nothing is known; the clusters of an unknown word are those of its stem,
 * after an `s`. */
export type WordFacts = {
  /** The word, folded. */
  word: string;
  stem: string;
  stemCluster: string;
  /** Clusters of words that occur in like contexts: of 64, 256 and 1,024. */
  clusters: readonly [string, string, string];
  /** First and last one to four letters, shorter ones first; left out where the word has fewer. */
  starts: readonly string[];
  ends: readonly string[];
  /** Shape without its sentence, and the class of its letters. */
  shape: number;
  letters: number;
};

/** The words of a model with their clusters. */
export interface Lexicon {
  /** The known words, folded, numbered from the most frequent one, 0. */
  readonly rank: ReadonlyMap<string, number>;
  facts(token: string): WordFacts;
}

/** Tokens remembered with their facts; when so many are known, all are forgotten. */
const REMEMBERED = 20_000;
const LONGEST = 64;
const NONE = "-";

/** Reads the lexicon from its file: a line a word, the most frequent first, with its three clusters, separated by tabs. */
export function readLexicon(text: string): Lexicon {
  const lines = text.trimEnd().split("\n");
  const rank = new Map<string, number>();
  const words: string[] = [];
  const clusters = lines.map((line, i): readonly [string, string, string] => {
    const [word = "", a = NONE, b = NONE, c = NONE] = line.split("\t");
    rank.set(word, i);
    words.push(word);
    return [a, b, c];
  });
  const known = new Map<string, WordFacts>();

  const compute = (token: string): WordFacts => {
    const word = foldToken(token.length > 4 * LONGEST ? token.slice(0, 4 * LONGEST) : token);
    const stem = stemRow(word, rank);
    const own = clusters[rank.get(word) ?? -1];
    const ofStem = clusters[stem];
    const characters = Array.from(word);
    const parts = [1, 2, 3, 4].filter((n) => n <= characters.length);
    return {
      word,
      stem: words[stem] ?? NONE,
      stemCluster: ofStem?.[1] ?? NONE,
      clusters: own ?? (ofStem ? [`s${ofStem[0]}`, `s${ofStem[1]}`, `s${ofStem[2]}`] : [NONE, NONE, NONE]),
      starts: parts.map((n) => characters.slice(0, n).join("")),
      ends: parts.map((n) => characters.slice(-n).join("")),
      shape: shapeOf(token),
      letters: caseOf(token),
    };
  };

  return {
    rank,
    facts(token) {
      const found = known.get(token);
      if (found !== undefined) return found;
      if (known.size >= REMEMBERED) known.clear();
      const made = compute(token);
      if (token.length <= LONGEST) known.set(token, made);
      return made;
    },
  };
}
