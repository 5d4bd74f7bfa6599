import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { SpanTable } from "../std/mod.ts";

/** The reading of a word that the lexicon finds most probable. */
export type Reading = {
  /** The word without clitics and inflectional endings. */
  stem: string;
  /** Its root; empty for words that have none. */
  root: string;
  /** Shared by its inflected forms, and by no other word of the root; several where it can be several words. */
  lemmas: readonly string[];
  /** Minus the natural logarithm of how likely the reading is, roughly. */
  cost: number;
};

/**
 * Finds the most probable reading of an Arabic word in normal form; `undefined` for words that the lexicon does not
 * know.
 */
export type Morphology = (word: string) => Reading | undefined;

const MASCULINE = 1;
const FEMININE = 2;
const MASCULINE_DUAL = 4;
const FEMININE_DUAL = 8;
const MASCULINE_PLURAL = 16;
const FEMININE_PLURAL = 32;
const PERFECT = 64;
const IMPERFECT = 128;
const PROPER = 256;
const OTHER = 512;
const NOMINAL = 63;

/**
 * An affix: the kinds of stem that take it, its cost (minus the logarithm of how likely it is), and what excludes what.
 */
type Affix = { kinds: number; cost: number; article?: boolean; possessive?: boolean };

const PREFIXES = prefixes();
const SUFFIXES = suffixes();
const MAX_PREFIX_UNITS = Math.max(...[...PREFIXES.keys()].map((p) => p.length));
const MAX_SUFFIX_UNITS = Math.max(...[...SUFFIXES.keys()].map((s) => s.length));

/**
 * Returns a morphology over the lines of a lexicon: a stem, a tab, and its readings separated by `;`, each the kinds of
 * stem (a bit mask in base 36), the cost in tenths, the root, and the lemmas that have further stems, separated by
 * commas. A lemma is its number (empty for one without further stems) and the kinds of stem that it has here, separated
 * by `:`; between two of them stands `+`.
 */
export function createMorphology(lexicon: string): Morphology {
  const stems = new SpanTable(lexicon);
  for (let at = 0; at < lexicon.length; ) {
    const tab = lexicon.indexOf("\t", at);
    const end = lexicon.indexOf("\n", tab);
    if (tab < 0 || end < 0) break;
    stems.add(at, tab);
    at = end + 1;
  }
  return (word) => bestReading(word, lexicon, stems);
}

/** A reading of a stem in its line of the lexicon: the kinds of stem, its cost, and where its root begins. */
type StemReading = { kinds: number; cost: number; rootAt: number };

const [SEMICOLON, NEWLINE, ZERO, NINE, SMALL_A] = [0x3b, 0x0a, 0x30, 0x39, 0x61];

/** Returns the whole number, in base 36 or less, that stands in a text from `at` on, and where it ends. */
function numberAt(text: string, at: number, base: number): { value: number; end: number } {
  let value = 0;
  let end = at;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (code >= ZERO && code <= NINE) value = value * base + code - ZERO;
    else if (code >= SMALL_A && code < SMALL_A + 26) value = value * base + code - SMALL_A + 10;
    else return { value, end };
  }
}

/** Returns where the reading at `at` ends: before a semicolon, or the end of the line. */
function endOfReading(text: string, at: number): number {
  for (let end = at; ; end++) {
    const code = text.charCodeAt(end);
    if (code === SEMICOLON || code === NEWLINE || Number.isNaN(code)) return end;
  }
}

/** Returns the readings of a line, each as it is asked for: most of them are not the best one. */
function* readingsAt(lexicon: string, line: number): Generator<StemReading> {
  for (let at = line; ; at++) {
    const kinds = numberAt(lexicon, at, 36);
    const tenths = numberAt(lexicon, kinds.end + 1, 10);
    yield { kinds: kinds.value, cost: tenths.value / 10, rootAt: tenths.end + 1 };
    at = endOfReading(lexicon, tenths.end);
    if (lexicon.charCodeAt(at) !== SEMICOLON) return;
  }
}

/** Returns the root of a reading, and its lemmas that have further stems. */
function rootAndLemmas(lexicon: string, { rootAt }: StemReading) {
  const [root = "", shared = ""] = lexicon.slice(rootAt, endOfReading(lexicon, rootAt)).split(",");
  return { root, lemmas: shared === "" ? [] : shared.split("+").map(parseLemma) };
}

function parseLemma(text: string): { number: string; kinds: number } {
  const [number = "", kinds = ""] = text.split(":");
  return { number, kinds: Number.parseInt(kinds, 36) };
}

function bestReading(word: string, lexicon: string, stems: SpanTable): Reading | undefined {
  let best: { start: number; end: number; reading: StemReading; prefix: Affix; suffixes: readonly Affix[] } | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start <= Math.min(MAX_PREFIX_UNITS, word.length - 1); start++) {
    const prefix = PREFIXES.get(word.slice(0, start));
    if (prefix === undefined) continue;
    for (let end = word.length; end >= Math.max(start + 1, word.length - MAX_SUFFIX_UNITS); end--) {
      const stem = stems.find(word, start, end);
      const suffixes = stem < 0 ? undefined : SUFFIXES.get(word.slice(end));
      if (suffixes === undefined) continue;
      for (const reading of readingsAt(lexicon, stems.endOf(stem) + 1)) {
        if ((reading.kinds & prefix.kinds) === 0) continue;
        const cost = reading.cost + affixCost(reading.kinds, prefix, suffixes);
        if (cost >= least) continue;
        least = cost;
        best = { start, end, reading, prefix, suffixes };
      }
    }
  }
  if (best === undefined) return undefined;
  const { start, end, reading, prefix, suffixes } = best;
  const stem = word.slice(start, end);
  const { root, lemmas } = rootAndLemmas(lexicon, reading);
  return { stem, root, cost: least, lemmas: lemmasOf({ stem, kinds: reading.kinds, lemmas }, prefix, suffixes) };
}

/** Likelihood by which another suffix must lead for one not to count. */
const LIKELIER = 0.5;

/** Returns the lemmas of a stem with these affixes; the stem itself stands for those that have no other stem. */
function lemmasOf(
  read: { stem: string; kinds: number; lemmas: readonly { number: string; kinds: number }[] },
  prefix: Affix,
  suffixes: readonly Affix[],
): string[] {
  const { stem } = read;
  const most = affixCost(read.kinds, prefix, suffixes) - prefix.cost + LIKELIER;
  const taken = suffixes.filter(({ cost, possessive }) => cost <= most && !(prefix.article && possessive));
  const kinds = read.kinds & prefix.kinds & taken.reduce((mask, suffix) => mask | suffix.kinds, 0);
  const lemmas = read.lemmas.filter((lemma) => (lemma.kinds & kinds) !== 0);
  // No stem begins with this sign.
  return lemmas.length === 0 ? [stem] : lemmas.map(({ number }) => (number === "" ? stem : `#${number}`));
}

function affixCost(kinds: number, prefix: Affix, suffixes: readonly Affix[]): number {
  let best = Number.POSITIVE_INFINITY;
  for (const suffix of suffixes) {
    if ((kinds & prefix.kinds & suffix.kinds) === 0 || (prefix.article && suffix.possessive)) continue;
    if (suffix.cost < best) best = suffix.cost;
  }
  return prefix.cost + best;
}

function prefixes(): Map<string, Affix> {
  const all = new Map<string, Affix>();
  const conjunctions = [
    ["", 0],
    ["و", 2.2],
    ["ف", 4.5],
  ] as const;
  const nominal = [
    ["ال", 0.8],
    ["ب", 3],
    ["بال", 3.2],
    ["ل", 3],
    ["لل", 3],
    ["ك", 5],
    ["كال", 5.5],
  ] as const;
  const imperfect = [
    ["ي", 0.7],
    ["ت", 1],
    ["ن", 3],
    ["ا", 3.5],
    ["سي", 3],
    ["ست", 3.3],
    ["سن", 4.5],
    ["سا", 5],
    ["لي", 3.5],
    ["لت", 4.5],
  ] as const;
  for (const [conjunction, before] of conjunctions) {
    all.set(conjunction, { kinds: NOMINAL | PERFECT | PROPER | OTHER, cost: before });
    for (const [prefix, cost] of nominal) {
      const article = prefix.endsWith("ال") || prefix === "لل";
      all.set(conjunction + prefix, { kinds: NOMINAL | PROPER | (article ? 0 : OTHER), cost: before + cost, article });
    }
    for (const [prefix, cost] of imperfect) all.set(conjunction + prefix, { kinds: IMPERFECT, cost: before + cost });
  }
  return all;
}

function suffixes(): Map<string, Affix[]> {
  const all = new Map<string, Affix[]>();
  const add = (suffix: string, affix: Affix): void => {
    all.set(suffix, [...(all.get(suffix) ?? []), affix]);
  };
  const endings: readonly (readonly [number, string, number])[] = [
    [MASCULINE, "", 0],
    [MASCULINE, "ا", 2],
    [FEMININE, "ه", 0.3],
    [MASCULINE_DUAL, "ان", 3],
    [MASCULINE_DUAL, "ين", 3.5],
    [MASCULINE_DUAL, "ا", 5],
    [MASCULINE_DUAL, "ي", 5],
    [FEMININE_DUAL, "تان", 3.5],
    [FEMININE_DUAL, "تين", 3.5],
    [FEMININE_DUAL, "تا", 5],
    [FEMININE_DUAL, "تي", 5],
    [MASCULINE_PLURAL, "ون", 2],
    [MASCULINE_PLURAL, "ين", 1.5],
    [MASCULINE_PLURAL, "و", 4],
    [MASCULINE_PLURAL, "ي", 4],
    [FEMININE_PLURAL, "ات", 1],
    [PROPER, "", 0],
    [OTHER, "", 0],
  ];
  for (const [kinds, suffix, cost] of endings) add(suffix, { kinds, cost });
  for (const pronoun of ["ه", "ها", "هم", "هما", "هن", "ك", "كم", "نا", "ي"]) {
    for (const [kinds, ending, cost] of [
      [MASCULINE, "", 2.5],
      [FEMININE, "ت", 2.7],
      [FEMININE_PLURAL, "ات", 3.2],
      [MASCULINE_PLURAL, "ي", 4.5],
      [MASCULINE_PLURAL, "و", 5],
      [MASCULINE_DUAL, "ا", 6],
      [MASCULINE_DUAL, "ي", 6],
      [OTHER, "", 2.5],
    ] as const) {
      add(ending + pronoun, { kinds, cost, possessive: true });
    }
  }
  const perfect = [
    ["", 0.3],
    ["ت", 0.8],
    ["وا", 2],
    ["و", 4],
    ["نا", 3],
    ["تم", 4],
    ["ا", 4],
    ["تا", 5],
    ["ن", 5],
  ] as const;
  const imperfect = [
    ["", 0.3],
    ["ون", 1.5],
    ["وا", 2.5],
    ["و", 4.5],
    ["ان", 4],
    ["ا", 5],
    ["ن", 4],
    ["ين", 5],
  ] as const;
  for (const object of ["", "ه", "ها", "هم", "ك", "كم", "نا", "ني", "هما"]) {
    const extra = object === "" ? 0 : 2.5;
    for (const [ending, cost] of perfect) add(ending + object, { kinds: PERFECT, cost: cost + extra });
    for (const [ending, cost] of imperfect) add(ending + object, { kinds: IMPERFECT, cost: cost + extra });
  }
  return all;
}

const FILE = new URL("../../nlp/lexicon/arabic-stems.tsv", import.meta.url);
let loaded: Morphology | undefined;

/** Returns the morphology over the lexicon that ships with the product; read at the first call. */
export function arabicMorphology(): Morphology {
  loaded ??= createMorphology(readFileSync(FILE, "utf8"));
  return loaded;
}
