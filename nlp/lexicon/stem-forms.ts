import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { forEachWord, type Morphology, normalForm, type Reading } from "@isnad/lib/text";

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
export type Kind = keyof typeof KINDS;

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
