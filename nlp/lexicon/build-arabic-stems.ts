import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createMorphology, forEachWord, type Morphology, normalForm, type Reading } from "@isnad/lib/text";
import { lettersOf } from "../../lib/arabic/morphology/written-forms.ts";
import { readTable } from "./passives.ts";

/** The kinds of word that a stem can be, each a bit: which affixes it takes. */
export const KINDS = {
  masculine: 1,
  feminine: 2,
  masculineDual: 4,
  feminineDual: 8,
  masculinePlural: 16,
  femininePlural: 32,
  perfect: 64,
  imperfect: 128,
  proper: 256,
  other: 512,
} as const;
type Kind = keyof typeof KINDS;

const NOMINAL: readonly (readonly [string, Kind])[] = [
  ["MS", "masculine"],
  ["FS", "feminine"],
  ["MD", "masculineDual"],
  ["FD", "feminineDual"],
  ["MP", "masculinePlural"],
  ["FP", "femininePlural"],
];

/** The kinds of a noun or adjective by its `COND-T` in the lexicon; all of them when it names none. */
export function kindsOf(condition: string): number {
  const codes = condition.split(/\|\||\s/);
  const mask = NOMINAL.reduce((sum, [code, kind]) => (codes.includes(code) ? sum | KINDS[kind] : sum), 0);
  return mask === 0 ? 63 : mask;
}

/** The letters between a stem that ends in a weak letter or hamza and its endings, by class of the stem (`COND-S`). */
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/#a[YA]-Ap-[yw]/, ["ى", "ا", "و", ""]],
  [/#ap-w/, ["", "و"]],
  [/#A'-w/, ["ء", "ئ", "ؤ", "", "و"]],
  [/#A'/, ["ء", "ئ", "ؤ", ""]],
  [/#A\}iy/, ["ئي", "ء"]],
  [/#iy/, ["ي", ""]],
  [/#aA/, ["ا", ""]],
  [/#a>/, ["أ", "ئ", "ؤ", ""]],
  [/#w'|#o'/, ["ء", "ئ", "ؤ", ""]],
  [/#-ay/, ["ى", "ا", ""]],
  [/#-aw/, ["ا", "و", ""]],
  [/#-iy/, ["ي", ""]],
  [/#-aY/, ["ى", "ا", ""]],
  [/#-uw/, ["و", ""]],
  [/#-a>/, ["أ", "ؤ", "ئ", ""]],
  [/#-A'/, ["اء", "ا", "اؤ", "ائ"]],
];

/** Returns what can stand between a stem of this class and its ending; one empty text for most stems. */
export function endings(condition: string): readonly string[] {
  return ENDINGS.find(([pattern]) => pattern.test(condition))?.[1] ?? [""];
}

/** The written forms of the passive of a hollow verb, which differ from those of the active (`يقول`, `يقال`). */
export function passiveForms(form: string, root: string, kind: string): string[] {
  if (!/^.[وي].$/.test(root)) return [];
  if (kind === "imperfect" && /.[وي].$/.test(form)) return [form.replace(/[وي](.)$/, "ا$1")];
  return kind === "perfect" && /.ا.$/.test(form) ? [form.replace(/ا(.)$/, "ي$1")] : [];
}

/** Occurrences from which on a word is taken for one that writers share. */
const FREQUENT = 12;
/** Costs of readings from which on they are doubted. */
const FAR_FETCHED = 14.5;
const CLITICS = /^(?:[وف]?(?:ال|لل|بال|كال)|[وف]?[بلك]|[وف])(?=...)/;

/**
 * The words that are frequent in a file of news articles and that the lexicon does not know or misreads: names above
 * all. A word that is another one with a clitic is left out. `cost` is minus the natural logarithm of its share of all
 * words.
 */
export function frequentNames(file: string, known: Morphology): { word: string; cost: number }[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const line of gunzipSync(readFileSync(file)).toString("utf8").trim().split("\n")) {
    const { title, text }: { title: string; text: string } = JSON.parse(line);
    for (const field of [title, text]) {
      forEachWord(field, (start, end) => {
        const word = normalForm(field.slice(start, end));
        counts.set(word, (counts.get(word) ?? 0) + 1);
        total++;
      });
    }
  }
  const count = (word: string): number => counts.get(word) ?? 0;
  return [...counts.keys()]
    .filter((word) => count(word) >= FREQUENT && /^[\u0621-\u064a]{3,}$/.test(word))
    .filter((word) => !CLITICS.test(word) || count(word.replace(CLITICS, "")) < count(word))
    .map((word) => ({ word, cost: -Math.log(count(word) / total) }))
    .filter(({ word, cost }) => isMisread(word, cost, known(word), count));
}

/**
 * Tells whether a word is unknown, or its reading is far-fetched for so frequent a word and of a stem that hardly
 * occurs otherwise.
 */
function isMisread(word: string, cost: number, reading: Reading | undefined, count: (word: string) => number): boolean {
  if (reading === undefined) return true;
  if (reading.cost < FAR_FETCHED || reading.cost < cost + 4) return false;
  const { stem } = reading;
  const others = [stem, `ال${stem}`, `${stem}ات`, `${stem}ه`].filter((form) => form !== word);
  return others.reduce((sum, form) => sum + count(form), 0) < count(word) / 10;
}

/**
 * Derives `arabic-stems.tsv` from the CAMeL morphological lexicon of MSA and from the words of Arabic news. Run with
 * `bun nlp/lexicon/build-arabic-stems.ts [FILE NEWS]`; needs ../shared/data (or ISNAD_SHARED). What the columns mean:
 * README.md.
 */

/** The kinds of word that a stem can be, and how rare it is. */
type Kinds = { mask: number; cost: number };

/**
 * Holds what a stem's entry says of one root: as which words, how rare the commonest of them is, and the same by lemma.
 */
type StemReading = Kinds & { lemmas: Map<string, Kinds> };

const FILES: readonly (readonly [string, Kind | "noun"])[] = [
  ["lemmas_to_patternize.tsv.gz", "noun"],
  ["MSA-Adj-LEX.csv", "noun"],
  ["MSA-Adj-Comp-LEX.csv", "noun"],
  ["MSA-Noun-Prop-LEX.csv", "proper"],
  ["MSA-Verb-LEX-PV.csv", "perfect"],
  ["MSA-Verb-LEX-IV.csv", "imperfect"],
  ["MSA-Other-LEX.csv", "other"],
];

/** A broken plural is rarer than its lemma; and a lemma so much rarer than another one with the same stem is none. */
const PLURAL = 1.5;
const RARER = 1.5;

/** Cost (minus the natural logarithm of the probability) of a lemma without a count. */
const UNSEEN = 14;
const here = fileURLToPath(new URL("./", import.meta.url));
const shared = process.env.ISNAD_SHARED ?? join(here, "../../../shared");
const folder = join(shared, "data/linguistic/camel_morph_msa");

const stems = new Map<string, Map<string, StemReading>>();
const stemsOfLemma = new Map<string, Set<string>>();

// A test that imports a function of this file builds nothing, and writes nothing.
if (import.meta.main) build();

/** Builds the table, and writes it to the file that the first argument names. */
function build(): void {
  const costs = lemmaCosts();
  for (const [file, kind] of FILES) {
    for (const row of readTable(read(file), file.includes(".tsv") ? "\t" : ",")) {
      if ((row.DEFINE ?? "LEXICON") !== "LEXICON") continue;
      const root = rootOf(row.ROOT ?? row.ROOT_NEW ?? "");
      const key = lemmaKey(row.LEMMA ?? "");
      const cost = costs.get(key) ?? UNSEEN;
      // A verb and a noun that are written alike are two words.
      const lemma = `${key} ${kind === "perfect" || kind === "imperfect" ? "verb" : "noun"}`;
      const rarer = cost + (/\bnum:p\b/.test(row.FEAT ?? "") ? PLURAL : 0);
      const form = lettersOf(row.FORM ?? "");
      const mask = kind === "noun" ? kindsOf(row["COND-T"] ?? "") : KINDS[kind];
      for (const ending of endings(row["COND-S"] ?? ""))
        add(form + ending, root, { mask, cost }, { lemma, cost: rarer });
      if (kind === "imperfect" && (row["COND-S"] ?? "").includes(">-#"))
        add(`ا${form}`, root, { mask, cost }, { lemma, cost: rarer });
      for (const passive of passiveForms(form, root, kind))
        add(passive, root, { mask, cost: cost + 2 }, { lemma, cost: cost + 2 });
    }
  }
  const [file = join(here, "arabic-stems.tsv"), news = join(shared, "data/news/ant_v2_ar.jsonl.gz")] =
    process.argv.slice(2);
  for (const { word, cost } of frequentNames(news, createMorphology(render()))) {
    add(word, "", { mask: KINDS.proper, cost });
  }
  writeFileSync(file, render());
}

function add(form: string, root: string, { mask, cost }: Kinds, of?: { lemma: string; cost: number }): void {
  const stem = normalForm(form);
  if (stem === "" || stem.includes(" ") || mask === 0) return;
  const readings = stems.get(stem) ?? new Map<string, StemReading>();
  stems.set(stem, readings);
  const reading = readings.get(root) ?? { mask: 0, cost, lemmas: new Map() };
  readings.set(root, { ...reading, mask: reading.mask | mask, cost: Math.min(reading.cost, cost) });
  if (of === undefined) return;
  const before = reading.lemmas.get(of.lemma) ?? { mask: 0, cost: of.cost };
  reading.lemmas.set(of.lemma, { mask: before.mask | mask, cost: Math.min(before.cost, of.cost) });
  stemsOfLemma.set(of.lemma, (stemsOfLemma.get(of.lemma) ?? new Set()).add(stem));
}

/** One line a stem, sorted: the stem, then for each root, commonest first, what README.md says. */
function render(): string {
  const numbers = new Map(
    [...stemsOfLemma]
      .filter(([, forms]) => forms.size > 1)
      .map(([lemma]) => lemma)
      .sort()
      .map((lemma, i) => [lemma, i.toString(36)]),
  );
  const lines = [...stems].map(([stem, readings]) => {
    const list = [...readings].sort(([a, x], [b, y]) => x.cost - y.cost || (a < b ? -1 : 1));
    const rendered = list.map(([root, { mask, cost, lemmas }]) => {
      const likely = [...lemmas].filter(([, one]) =>
        [...lemmas.values()].every((other) => (one.mask & other.mask) === 0 || one.cost <= other.cost + RARER),
      );
      const kinds = new Map<string, number>();
      for (const [lemma, one] of likely) {
        const number = numbers.get(lemma) ?? "";
        kinds.set(number, (kinds.get(number) ?? 0) | one.mask);
      }
      const shared = [...kinds].map(([number, each]) => `${number}:${each.toString(36)}`).sort();
      const fields = [mask.toString(36), Math.round(cost * 10), root, shared.join("+")];
      return fields.slice(0, likely.some(([lemma]) => numbers.has(lemma)) ? 4 : 3).join(",");
    });
    return `${stem}\t${rendered.join(";")}\n`;
  });
  return lines.sort().join("");
}

function rootOf(dotted: string): string {
  const root = dotted.split(".").map(lettersOf).join("");
  return /[#0-9]|NTWS/.test(dotted) || root.length < 3 ? "" : root.replace(/[أإآؤئ]/g, "ء");
}

/** The lexicon and the counts write long vowels and case endings differently. */
function lemmaKey(lemma: string): string {
  return lemma
    .replace(/-.*$/, "")
    .replaceAll("aA", "A")
    .replaceAll("iy", "y")
    .replaceAll("uw", "w")
    .replace(/[aiuoFKN]/g, "");
}

function lemmaCosts(): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of read("logprob_lex.tsv").trim().split("\n")) {
    const [lemma = "", logProbability = ""] = line.split("\t");
    const key = lemmaKey(lemma);
    found.set(key, Math.min(found.get(key) ?? UNSEEN, -Number(logProbability)));
  }
  return found;
}

function read(file: string): string {
  const bytes = readFileSync(join(folder, file));
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
