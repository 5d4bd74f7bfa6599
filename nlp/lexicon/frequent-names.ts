import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { forEachWord, type Morphology, normalForm, type Reading } from "@isnad/lib/text";

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
