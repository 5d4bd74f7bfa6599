import { hashOf, hashOn } from "./feature-hash.ts";

/** Hashes of names (their folded words with blanks between) and of single words, each with a label by number. */
export type NameListData = {
  phrases: { keys: Uint32Array; values: Uint8Array };
  words: { keys: Uint32Array; values: Uint8Array };
  phraseLabels: readonly string[];
  wordLabels: readonly string[];
};

/** Known names. */
export interface NameList {
  /** For each word of a sentence (folded): how the longest known name that covers it begins there or goes on (`BPER2`: a name of two
   * words, `IPER`), `O` where none does. Names are taken from left to right. */
  cover(words: readonly string[]): string[];
  /** What a word mostly is in the texts the list was made of; the empty text where it is no part of a name. */
  word(word: string): string;
}

const LONGEST = 6;

function mapOf({ keys, values }: { keys: Uint32Array; values: Uint8Array }): Map<number, number> {
  return new Map(Array.from(keys, (key, i) => [key, values[i] ?? 0]));
}

/** Makes the list searchable. */
export function createNameList(data: NameListData): NameList {
  const phrases = mapOf(data.phrases);
  const words = mapOf(data.words);

  /** The longest name that begins at a word: its length in words, 0 when there is none, and its label. */
  const longest = (sentence: readonly string[], from: number): { length: number; label: string } => {
    let best = { length: 0, label: "" };
    let hash = 0;
    for (let length = 1; length <= LONGEST && from + length <= sentence.length; length++) {
      const word = sentence[from + length - 1] ?? "";
      hash = length === 1 ? hashOf(word) : hashOn(hashOn(hash, " "), word);
      const found = phrases.get(hash);
      if (found !== undefined) best = { length, label: data.phraseLabels[found] ?? "" };
    }
    return best;
  };

  return {
    cover(sentence) {
      const labels = new Array<string>(sentence.length).fill("O");
      for (let i = 0; i < sentence.length; ) {
        const { length, label } = longest(sentence, i);
        if (length === 0) {
          i++;
          continue;
        }
        labels[i] = `B${label}${Math.min(length, 3)}`;
        labels.fill(`I${label}`, i + 1, i + length);
        i += length;
      }
      return labels;
    },
    word(word) {
      const found = words.get(hashOf(word));
      return found === undefined ? "" : (data.wordLabels[found] ?? "");
    },
  };
}
