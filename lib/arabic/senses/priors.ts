import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import type { SenseEntry } from "../../contract/mod.ts";
import { at } from "../../std/mod.ts";
import type { MorphToken } from "../morphology/answer.ts";
import { bareForm } from "../morphology/written-forms.ts";

const LEXICON = fileURLToPath(new URL("../../../nlp/lexicon/", import.meta.url));

/** The files of a lexicon that say how often news means a sense, and what stands behind a word in it. */
const SHARES = "sense-shares.tsv";
const FRAMES = "sense-frames.tsv";

/** Says how likely senses are before their sentence is read, and by the words that are joined to them. */
export type SensePriors = {
  /**
   * Returns the natural logarithms of the shares of a word's senses in news, in their order; undefined where none is
   * known.
   */
  of(senses: readonly SenseEntry[]): number[] | undefined;
  /** Tells of each sense whether what it takes stands behind the word: 1 it does, -1 not, 0 where it takes nothing. */
  frames(senses: readonly SenseEntry[], behind: ReadonlySet<string>): number[];
};

/** Percents that a sense has at least, and one whose share nobody told beside others. */
const MIN_SHARE = 2;
const UNTOLD_SHARE = 3;

/** Makes priors from shares in percent and from what senses take, by their ids. */
export function createSensePriors(
  shares: ReadonlyMap<string, number>,
  taken: ReadonlyMap<string, readonly string[]>,
): SensePriors {
  return {
    of(senses) {
      if (!senses.some(({ id }) => shares.has(id))) return undefined;
      return senses.map(({ id }) => Math.log(Math.max(MIN_SHARE, shares.get(id) ?? UNTOLD_SHARE) / 100));
    },
    frames: (senses, behind) =>
      senses.map(({ id }) => {
        const signs = taken.get(id);
        if (signs === undefined) return 0;
        return signs.some((sign) => behind.has(sign)) ? 1 : -1;
      }),
  };
}

/** Opens the priors that ship. Throws when a file cannot be read. */
export function openSensePriors(): SensePriors {
  const lines = (file: string): string[][] =>
    readFileSync(join(LEXICON, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
  return createSensePriors(
    new Map(lines(SHARES).map(([id = "", share = ""]) => [id, Number(share)])),
    new Map(lines(FRAMES).map(([id = "", signs = ""]) => [id, signs.split(" ").map(signOf)])),
  );
}

const KINDS: ReadonlySet<string> = new Set(["perfect", "imperfect", "number", "quote", "negated", "alone"]);
const signOf = (sign: string): string => (KINDS.has(sign) ? sign : bareForm(sign));

/** Words behind one among which what it takes is looked for. */
const REACH = 6;

const JOINED: ReadonlySet<string> = new Set(["ب", "ل"]);
const PREPOSITIONS: ReadonlySet<string> = new Set(["على", "عن", "من", "في", "إلى", "ب", "ل"].map(bareForm));

/** Particles that deny the verb behind them, and parts of speech of what an adjective belongs to. */
const NEGATION: ReadonlySet<string> = new Set(["لم", "لن", "لا", "ما"]);
const HEADS: ReadonlySet<string> = new Set(["NOUN", "PROPN", "ADJ", "NUM", "X"]);

/**
 * Returns what stands behind the words of a text from `from` to `to`, exclusive, as far as a verb or a sign:
 * prepositions and أن by their letters, `perfect`, `imperfect`, `number` or `quote` where the next word is such; and
 * what stands before them: `negated` behind a particle, `alone` where no noun does.
 */
export function signsAround(tokens: readonly MorphToken[], { from, to }: { from: number; to: number }): Set<string> {
  const signs = new Set<string>();
  const before = from > 0 ? at(tokens, from - 1) : undefined;
  if (before !== undefined && NEGATION.has(bareForm(before.lemma))) signs.add("negated");
  if (before === undefined || !HEADS.has(before.pos)) signs.add("alone");
  const { sentence } = at(tokens, to - 1);
  for (let place = to; place < Math.min(tokens.length, to + REACH); place++) {
    const token = at(tokens, place);
    if (token.sentence !== sentence) break;
    const isNext = place === to;
    if (isNext && token.features.aspect === "imp") signs.add("imperfect");
    if (isNext && token.features.aspect === "perf") signs.add("perfect");
    if (isNext && token.pos === "NUM") signs.add("number");
    if (isNext && /^[:"«“]$/u.test(token.token)) signs.add("quote");
    const lemma = bareForm(token.lemma);
    if (lemma === "ان" || PREPOSITIONS.has(lemma)) signs.add(lemma);
    for (const { form } of token.proclitics) if (JOINED.has(bareForm(form))) signs.add(bareForm(form));
    if (token.pos === "VERB" || token.pos === "AUX" || (token.pos === "PUNCT" && !/^["«“]$/u.test(token.token))) break;
  }
  return signs;
}
