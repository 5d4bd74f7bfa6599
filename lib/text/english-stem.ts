/** Words that the rules would change wrongly, with their stems. */
const EXCEPTIONS = new Map(
  Object.entries({
    skis: "ski",
    skies: "sky",
    idly: "idl",
    gently: "gentl",
    ugly: "ugli",
    early: "earli",
    only: "onli",
    singly: "singl",
  }),
);
for (const word of "sky news howe atlas cosmos bias andes".split(" ")) EXCEPTIONS.set(word, word);
/** Words that are whole once a plural ending is gone. */
const WHOLE = new Set("evening inning outing canning herring earring proceed exceed succeed".split(" "));

/**
 * Returns the stem of an English word in lower case: Porter, "Snowball: English (Porter2) stemmer" (snowballstem.org,
 * version 3). Words with other characters than a to z come back as they are.
 */
export function englishStem(word: string): string {
  const exception = asItIs(word);
  if (exception !== undefined) return exception;
  const marked = markConsonants(word);
  const r1 = regionOne(marked);
  const r2 = region(marked, r1);
  let w = plural(marked);
  if (WHOLE.has(w)) return w;
  w = finalY(pastAndParticiple(w, r1));
  w = longSuffix(w, r1);
  w = shortSuffix(w, r1, r2);
  w = lastSuffix(w, r2);
  return finalLetters(w, r1, r2).toLowerCase();
}

/**
 * Returns the word without its inflection alone, by the first steps of the stemmer: plural, past and participle are
 * taken off (`elections`, `election`), what makes another word of it stays (`elected`, `electoral`).
 */
export function englishLemma(word: string): string {
  const exception = asItIs(word);
  if (exception !== undefined) return exception;
  const marked = markConsonants(word);
  const r1 = regionOne(marked);
  const singular = plural(marked);
  if (WHOLE.has(singular)) return singular;
  const base = singular.endsWith("ly") ? singular : pastAndParticiple(singular, r1);
  return finalLetters(finalY(base), r1, region(marked, r1)).toLowerCase();
}

/** Returns the stem of a word that the rules do not apply to. */
function asItIs(word: string): string | undefined {
  return word.length <= 2 || !/^[a-z]+$/.test(word) ? word : EXCEPTIONS.get(word);
}

/** Returns the word with i for a y after a consonant at its end. */
function finalY(w: string): string {
  return /[^aeiouy]$/.test(w.slice(0, -1)) && w.length > 2 ? w.replace(/[yY]$/, "i") : w;
}

/** Returns the word with each y that is a consonant written Y. */
function markConsonants(word: string): string {
  return word.replace(/^y|([aeiouy])y/g, (match) => `${match.slice(0, -1)}Y`);
}

function regionOne(w: string): number {
  const special = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/.exec(w);
  return special === null ? region(w, 0) : special[0].length;
}

/** Returns the offset after the first consonant that follows a vowel, from `from` on. */
function region(w: string, from: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(w.slice(from));
  return match === null ? w.length : from + match.index + 2;
}

function plural(w: string): string {
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (/ie[sd]$/.test(w)) return w.length > 4 ? w.slice(0, -2) : w.slice(0, -1);
  return /(?:us|ss)$/.test(w) || !(w.endsWith("s") && /[aeiouy]./.test(w.slice(0, -1))) ? w : w.slice(0, -1);
}

function pastAndParticiple(w: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(w);
  if (eed !== null) return eed.index >= r1 ? w.slice(0, eed.index + 2) : w;
  const match = /(?:ingly|edly|ing|ed)$/.exec(w);
  if (match === null || !/[aeiouy]/.test(w.slice(0, match.index))) return w;
  const stem = w.slice(0, match.index);
  if (match[0] === "ing" && /^[^aeiouy]y$/.test(stem)) return `${stem[0]}ie`;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1);
  return isShort(stem, r1) ? `${stem}e` : stem;
}

const SHORT_SYLLABLE = /^[aeiouy][^aeiouy]$|[^aeiouy][aeiouy][^aeiouywxY]$|^past$/;

function isShort(w: string, r1: number): boolean {
  return r1 >= w.length && SHORT_SYLLABLE.test(w);
}

const LONG: readonly (readonly [RegExp, string])[] = [
  [/ational$/, "ate"],
  [/ization$/, "ize"],
  [/fulness$/, "ful"],
  [/ousness$/, "ous"],
  [/iveness$/, "ive"],
  [/tional$/, "tion"],
  [/biliti$/, "ble"],
  [/lessli$/, "less"],
  [/entli$/, "ent"],
  [/ation$/, "ate"],
  [/alism$/, "al"],
  [/aliti$/, "al"],
  [/ousli$/, "ous"],
  [/iviti$/, "ive"],
  [/fulli$/, "ful"],
  [/enci$/, "ence"],
  [/anci$/, "ance"],
  [/abli$/, "able"],
  [/izer$/, "ize"],
  [/ator$/, "ate"],
  [/alli$/, "al"],
  [/bli$/, "ble"],
  [/(?<=l)ogi$/, "og"],
  [/ogist$/, "og"],
  [/(?<=[cdeghkmnrt])li$/, ""],
];

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/ational$/, "ate"],
  [/tional$/, "tion"],
  [/alize$/, "al"],
  [/icate$/, "ic"],
  [/iciti$/, "ic"],
  [/ical$/, "ic"],
  [/ness$/, ""],
  [/ful$/, ""],
];

function longSuffix(w: string, r1: number): string {
  return replaceFirst(w, LONG, r1);
}

function shortSuffix(w: string, r1: number, r2: number): string {
  const match = /ative$/.exec(w);
  if (match !== null) return match.index >= r2 ? w.slice(0, -5) : w;
  return replaceFirst(w, SHORT, r1);
}

function replaceFirst(w: string, rules: readonly (readonly [RegExp, string])[], from: number): string {
  for (const [suffix, to] of rules) {
    const match = suffix.exec(w);
    if (match !== null) return match.index >= from ? w.slice(0, match.index) + to : w;
  }
  return w;
}

function lastSuffix(w: string, r2: number): string {
  const match = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/.exec(w);
  if (match !== null) return match.index >= r2 ? w.slice(0, match.index) : w;
  const ion = /(?<=[st])ion$/.exec(w);
  return ion !== null && ion.index >= r2 ? w.slice(0, ion.index) : w;
}

function finalLetters(w: string, r1: number, r2: number): string {
  const stem = w.slice(0, -1);
  if (w.endsWith("e")) {
    return stem.length >= r2 || (stem.length >= r1 && !SHORT_SYLLABLE.test(stem)) ? stem : w;
  }
  return w.endsWith("ll") && stem.length >= r2 ? stem : w;
}
