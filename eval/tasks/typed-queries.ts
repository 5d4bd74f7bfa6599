import { fuseHybrid, searchBranches } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { analyse } from "@isnad/lib/text";
import { seeded } from "../../lib/std/random.ts";
import type { Indexed } from "../indexed.ts";
import { AS_SEARCH, K_RRF } from "./retrieval.ts";

/** Modes of `/v1/search`. */
const MODES = ["keyword", "vector", "hybrid"] as const;

/** Letters of the shortest word that is asked with, and of a word that is only begun. */
const MIN_WORD_UNITS = 4;
const BEGUN_UNITS = { least: 3, most: 5 };

/** Headlines that are typed letter by letter, and after how many letters it is looked whether they are found. */
const TYPED_HEADLINES = 60;
const TYPED_LETTERS = [4, 6, 8, 10, 12, 15, 20, 25, 30];
/** Places among which somebody who types sees the article. */
const SEEN_PLACES = 5;

const SEED = 20_240_817;

/** Articles to search, and the places of those that are asked for. */
type KnownItems = { articles: readonly NewsArticle[]; targets: readonly number[] };
type NewsArticle = { title: string; text: string };

/** A word of a headline as it is written, and in how many articles its form stands. */
type HeadlineWord = { text: string; form: string; articles: number };

/** A query and what is typed in its place: the same words with a slip, or with the last one only begun. */
type TypedQuery = { clean: string; typed: string; prefix: boolean; meant: string };

/** Rows of keys, by script: a slip may be the key beside. */
const KEYS = {
  arabic: ["ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىةوزظ"],
  latin: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
};

/**
 * Returns a word with one slip at any of its letters: another letter, one left out, one put in, two swapped, or the key
 * beside, each as likely as the others. The slip changes the word as the search sees it.
 */
export function withSlip(word: string, random: () => number): string {
  const rows = /\p{Script=Arabic}/u.test(word) ? KEYS.arabic : KEYS.latin;
  const letters = rows.join("");
  const below = (bound: number) => Math.floor(random() * bound);
  const letter = () => letters[below(letters.length)] ?? "";
  for (let turn = 0; turn < 100; turn++) {
    const i = below(word.length);
    const row = rows.find((each) => each.includes(word.charAt(i).toLowerCase())) ?? letters;
    const beside = row[row.indexOf(word.charAt(i).toLowerCase()) + (random() < 0.5 ? 1 : -1)] ?? letter();
    const slips = [
      word.slice(0, i) + letter() + word.slice(i + 1),
      word.slice(0, i) + word.slice(i + 1),
      word.slice(0, i) + letter() + word.slice(i),
      word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2),
      word.slice(0, i) + beside + word.slice(i + 1),
    ];
    const slip = at(slips, below(slips.length));
    const form = formOf(slip);
    if (form !== formOf(word) && form.length >= MIN_WORD_UNITS) return slip;
  }
  return word;
}

function formOf(word: string): string {
  return analyse(word)
    .map(({ terms }) => terms.form)
    .join(" ");
}

/** Returns in how many articles each form stands. */
function articlesWith(articles: readonly NewsArticle[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { title, text } of articles) {
    const forms = new Set([title, text].flatMap((each) => analyse(each).map(({ terms }) => terms.form)));
    for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return counts;
}

/** Returns the words of a headline that say something, each once, in order. */
function wordsOf({ title }: NewsArticle, counts: ReadonlyMap<string, number>): HeadlineWord[] {
  const words = analyse(title)
    .filter(({ terms }) => !terms.stop && terms.form.length >= MIN_WORD_UNITS && /^\p{L}+$/u.test(terms.form))
    .map(({ text, terms }) => ({ text, form: terms.form, articles: counts.get(terms.form) ?? 0 }));
  return [...new Map(words.map((word) => [word.form, word])).values()];
}

/** Returns so many words of a headline, any of them, in their order; undefined where it has fewer. */
function someOf(words: readonly HeadlineWord[], count: number, random: () => number): HeadlineWord[] | undefined {
  if (words.length < count) return undefined;
  const chosen = new Set<HeadlineWord>();
  while (chosen.size < count) chosen.add(at(words, Math.floor(random() * words.length)));
  return words.filter((word) => chosen.has(word));
}

/** Ways to type a headline, each made of some of its words; undefined where the headline has not enough of them. */
export const TYPED: Readonly<
  Record<string, (words: readonly HeadlineWord[], random: () => number) => TypedQuery | undefined>
> = {
  "two words misspelt": (words, random) => misspelt(someOf(words, 2, random), random),
  "five words misspelt": (words, random) => misspelt(words.length < 5 ? undefined : words.slice(0, 5), random),
  "two words begun": (words, random) => begun(someOf(words, 2, random), random),
  "three words begun": (words, random) => begun(someOf(words, 3, random), random),
};

function misspelt(words: readonly HeadlineWord[] | undefined, random: () => number): TypedQuery | undefined {
  if (words === undefined) return undefined;
  const rarest = words.reduce((least, word) => (word.articles < least.articles ? word : least));
  const slip = withSlip(rarest.text, random);
  const text = (of: (word: HeadlineWord) => string) => words.map(of).join(" ");
  return {
    clean: text((word) => word.text),
    typed: text((word) => (word === rarest ? slip : word.text)),
    prefix: false,
    meant: rarest.form,
  };
}

function begun(words: readonly HeadlineWord[] | undefined, random: () => number): TypedQuery | undefined {
  const last = words?.at(-1);
  const { least, most } = BEGUN_UNITS;
  const length = least + Math.floor(random() * (most - least + 1));
  if (words === undefined || last === undefined || last.text.length <= length) return undefined;
  const before = words.slice(0, -1).map(({ text }) => text);
  return {
    clean: [...before, last.text].join(" "),
    typed: [...before, last.text.slice(0, length)].join(" "),
    prefix: true,
    meant: last.form,
  };
}

type Places = Record<(typeof MODES)[number], number> & { corrections: readonly { readAs: readonly string[] }[] };

/** Returns the place of an article in each mode, from 1; 0 where it is not found. */
async function placesIn(
  { branches }: Pick<Indexed, "branches">,
  { text, prefix, target }: { text: string; prefix: boolean; target: number },
): Promise<Places> {
  const answer = await searchBranches(branches, { ...AS_SEARCH, text, prefix });
  const placeIn = (hits: readonly { articleId: number }[]) =>
    1 + hits.findIndex(({ articleId }) => articleId === target + 1);
  const { hits } = fuseHybrid(answer, { k: K_RRF, fusion: "rrf" });
  return {
    keyword: placeIn(answer.keyword),
    vector: placeIn(answer.vector),
    hybrid: placeIn(hits),
    corrections: answer.corrections,
  };
}

const reciprocal = (place: number): number => (place === 0 ? 0 : 1 / place);

/**
 * Asks for each target by some words of its headline, as they are and as people type them. Figures are mean reciprocal
 * ranks of what was typed, their share of those of the same words written out, and how often the word that was meant is
 * named.
 */
export async function typedFigures(indexed: Pick<Indexed, "branches">, { articles, targets }: KnownItems) {
  const counts = articlesWith(articles);
  const figures: Record<string, number> = {};
  const predictions: string[] = [];
  for (const [kind, typedAs] of Object.entries(TYPED)) {
    const random = seeded(SEED);
    const sums = { clean: [0, 0, 0], typed: [0, 0, 0], named: 0, count: 0 };
    for (const target of targets) {
      const query = typedAs(wordsOf(at(articles, target), counts), random);
      if (query === undefined) continue;
      const clean = await placesIn(indexed, { text: query.clean, prefix: false, target });
      const typed = await placesIn(indexed, { text: query.typed, prefix: query.prefix, target });
      for (const [i, mode] of MODES.entries()) {
        sums.clean[i] = at(sums.clean, i) + reciprocal(clean[mode]);
        sums.typed[i] = at(sums.typed, i) + reciprocal(typed[mode]);
      }
      if (typed.corrections.some(({ readAs }) => readAs.includes(query.meant))) sums.named++;
      sums.count++;
      const line = [kind, target + 1, ...MODES.map((mode) => clean[mode]), ...MODES.map((mode) => typed[mode])];
      predictions.push([...line, query.clean, query.typed].join("\t"));
    }
    for (const [i, mode] of MODES.entries()) {
      figures[`MRR ${kind}, ${mode}`] = at(sums.typed, i) / Math.max(1, sums.count);
      figures[`of clean ${kind}, ${mode}`] = at(sums.typed, i) / (at(sums.clean, i) || 1);
    }
    if (kind.endsWith("misspelt")) figures[`named ${kind}`] = sums.named / Math.max(1, sums.count);
  }
  Object.assign(figures, await typedLetterByLetter(indexed, { articles, targets }));
  return { figures, predictions };
}

/** Returns the share of headlines that are among the first five hits after so many of their letters. */
async function typedLetterByLetter(
  indexed: Pick<Indexed, "branches">,
  { articles, targets }: KnownItems,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const step = Math.max(1, Math.floor(targets.length / TYPED_HEADLINES));
  const asked = targets.filter((_, i) => i % step === 0);
  for (const letters of TYPED_LETTERS) {
    let seen = 0;
    for (const target of asked) {
      const text = at(articles, target).title.slice(0, letters).trimEnd();
      const { hybrid } = await placesIn(indexed, { text, prefix: true, target });
      if (hybrid > 0 && hybrid <= SEEN_PLACES) seen++;
    }
    figures[`in five after ${letters} letters`] = seen / Math.max(1, asked.length);
  }
  return figures;
}
