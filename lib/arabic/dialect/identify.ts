import { z } from "zod";
import { openRegistry, textOf } from "../../models/cards/mod.ts";
import { at } from "../../std/mod.ts";
import { forEachWord } from "../../text/mod.ts";
import { hashOf } from "../tokens.ts";

/** Lists the Arabics that a text can be in: the standard language, and those of regions. */
export const DIALECTS = ["msa", "levantine", "egyptian", "gulf", "maghrebi", "iraqi"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The likeliest dialect of a text, and the probability of each. */
export type IdentifiedDialect = { dialect: Dialect; scores: Record<Dialect, number> };

/** Says which dialect a text is in. */
export type DialectIdentifier = (text: string) => IdentifiedDialect;

/** Letters that are written in more than one way; گ and چ stay, which Iraqis alone write as letters of their own. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ أ: "ا", إ: "ا", آ: "ا", ٱ: "ا", ى: "ي", ی: "ي", ة: "ه", ک: "ك" },
};
const VARIANT = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");
const ARABIC = /^\p{Script=Arabic}/u;

/** Letters of a word that are looked at. */
const MAX_LETTERS = 24;

/** Returns a word as people say it, however drawn out they write it: كتييييير is كتير. */
function folded(word: string): string {
  return word
    .slice(0, 4 * MAX_LETTERS)
    .replace(/[\p{M}\u0640]/gu, "")
    .replace(VARIANT, (letter) => LETTERS[letter] ?? letter)
    .replace(/(.)\1{2,}/gu, "$1")
    .slice(0, MAX_LETTERS);
}

/** Says how many features a word is, beside those that its parts are. */
const WORD_FEATURES = 4;

/**
 * Returns the features of a text, each once, as hashes: its Arabic words, their pairs, their beginnings, ends and
 * insides.
 */
export function dialectFeatures(text: string): Uint32Array {
  const features = new Set<number>();
  const addWord = (word: string): void => {
    for (let i = 0; i < WORD_FEATURES; i++) features.add(hashOf(`w ${i} ${word}`));
  };
  let before = "^";
  forEachWord(text, (start, end) => {
    const written = text.slice(start, end);
    if (!ARABIC.test(written)) return;
    const word = folded(written);
    addWord(word);
    if (/^[وف]..../u.test(word)) addWord(word.slice(1));
    features.add(hashOf(`b ${before} ${word}`));
    before = word;
    // What is put around a verb: ما…ش, ن…و.
    for (const head of [word.slice(0, 1), word.slice(0, 2)]) {
      for (const tail of [word.slice(-1), word.slice(-2)]) features.add(hashOf(`c ${head} ${tail}`));
    }
    const whole = `^${word}$`;
    for (let length = 2; length <= 4; length++) {
      for (let from = 0; from + length <= whole.length; from++) {
        features.add(hashOf(`g ${whole.slice(from, from + length)}`));
      }
    }
  });
  return Uint32Array.from(features);
}

/** Returns the probability of each dialect by the features of a text; the more of them, the less each counts. */
export function dialectChances(features: Uint32Array, weights: Int8Array | Float32Array, scale: number): Float64Array {
  const rows = weights.length / DIALECTS.length;
  const sums = new Float64Array(DIALECTS.length);
  for (const feature of features) {
    const row = (feature & (rows - 1)) * DIALECTS.length;
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (weights[row + i] ?? 0);
  }
  const share = scale / Math.sqrt(Math.max(1, features.length));
  const most = sums.reduce((max, each) => Math.max(max, each), Number.NEGATIVE_INFINITY);
  const powers = sums.map((sum) => Math.exp((sum - most) * share));
  const total = powers.reduce((all, each) => all + each, 0);
  return powers.map((each) => each / total);
}

/** Makes the identifier of weights: a row of one for each dialect by the lower bits of a feature's hash. */
export function createDialectIdentifier(weights: Int8Array, { scale }: { scale: number }): DialectIdentifier {
  return (text) => {
    const chances = dialectChances(dialectFeatures(text), weights, scale);
    const best = chances.indexOf(Math.max(...chances));
    const score = (dialect: Dialect): number => Math.round(at(chances, DIALECTS.indexOf(dialect)) * 1e4) / 1e4;
    return {
      dialect: at(DIALECTS, best),
      scores: {
        ...{ msa: score("msa"), levantine: score("levantine"), egyptian: score("egyptian") },
        ...{ gulf: score("gulf"), maghrebi: score("maghrebi"), iraqi: score("iraqi") },
      },
    };
  };
}

/** The model that ships. */
export const DIALECT_MODEL = "dialect-ar";

const Settings = z.strictObject({ scale: z.number() });

/** Opens it, its checksums verified. Rejects when a file is missing or damaged, with an InferenceError. */
export async function openDialectIdentifier(registry = openRegistry()): Promise<DialectIdentifier> {
  const files = [registry.read(DIALECT_MODEL, "settings.json"), registry.read(DIALECT_MODEL, "weights.bin")] as const;
  const [settings, { buffer, byteOffset, length }] = await Promise.all(files);
  return createDialectIdentifier(
    new Int8Array(buffer, byteOffset, length),
    Settings.parse(JSON.parse(textOf(settings))),
  );
}
