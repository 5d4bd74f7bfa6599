import { normalForm } from "../../text/mod.ts";

/** What is cut off a word: only what is joined to it, or the persons of a verb, or the gender and number of a noun. */
export type Cut = "joined" | "verb" | "noun";

/** What a word may be without what was cut; `stem` is in {@link soundForm}, `letters` is how many it lacks. */
export type Stem = { stem: string; cut: Cut; hasArticle: boolean; letters: number };

/** Conjunction, negation, preposition or the b of the present tense, demonstrative and article, in their order. */
const BEFORE = /^(?:و|ف|ش)?(?:ما)?(?:[بعكم]?ه?ال|ه?لل|[بعلهحم])?$/;
const ARTICLE = /(?:ال|لل)$/;

/** The dative l, a pronoun, and the sh of negation. */
const AFTER = /^ل?(?:ي|ني|ك|كي|ه|و|ها|نا|كم|كن|هم|هن|ن)?ش?$/;

/** What may be cut off a stem of two letters. */
const SURE = /^[وبلعايكه]*$/;

/** What persons, and what gender and number, add before and behind a stem. */
const VERB = { before: /^[ايتن]$/, after: /^(?:ا|ت|تي|تو|توا|نا|وا|و|ي)$/ };
const NOUN = { before: /^$/, after: /^(?:ه|ات|ين|تين)$/ };

const LONGEST = 6;

/** A word as Levantine speakers hear it: sounds that fell together are one letter, and so are the open endings. */
export function soundForm(word: string): string {
  return normalForm(word)
    .replace(/ث/g, "ت")
    .replace(/[ذظض]/g, "د")
    .replace(/[ؤئء]/g, "")
    .replace(/وا$/, "و")
    .replace(/(?<=..)[اي]$/, "ه");
}

/** The stems that a written word may have, those that lack least first: those of what is joined, then all others. */
export function stemsOf(word: string): Stem[] {
  const form = normalForm(word);
  const stems: Stem[] = [];
  for (const [start, end] of parts(form, BEFORE, AFTER, 2)) {
    const text = form.slice(start, end);
    const rest = form.slice(0, start) + form.slice(end);
    if (text.length === 2 && (rest.length > 2 || !SURE.test(rest))) continue;
    const hasArticle = ARTICLE.test(form.slice(0, start));
    const facts = { hasArticle, letters: rest.length };
    // Before a pronoun the feminine ending is t.
    const isFeminine = end < form.length && text.length > 2 && text.endsWith("ت");
    for (const stem of isFeminine ? [text, `${text.slice(0, -1)}ه`] : [text]) {
      stems.push({ stem: soundForm(stem), cut: "joined", ...facts });
      for (const cut of ["verb", "noun"] as const) {
        for (const bare of bareOf(stem, cut)) stems.push({ stem: bare, cut, ...facts });
      }
    }
  }
  return stems.sort((a, b) => Number(b.cut === "joined") - Number(a.cut === "joined") || a.letters - b.letters);
}

/** What a stem may be without what its persons, or its gender and number, add to it, in {@link soundForm}. */
export function bareOf(stem: string, cut: "verb" | "noun"): string[] {
  const { before, after } = cut === "verb" ? VERB : NOUN;
  return [...new Set(parts(stem, before, after, 3).map(([start, end]) => soundForm(stem.slice(start, end))))];
}

/** Where the middles of a text begin and end that have nothing, or what is right there, before and behind them. */
function parts(text: string, before: RegExp, after: RegExp, least: number): [start: number, end: number][] {
  const middles: [number, number][] = [];
  for (let start = 0; start <= Math.min(LONGEST, text.length - least); start++) {
    if (start > 0 && !before.test(text.slice(0, start))) continue;
    for (let end = text.length; end >= Math.max(text.length - LONGEST, start + least); end--) {
      if (end === text.length || after.test(text.slice(end))) middles.push([start, end]);
    }
  }
  return middles;
}
