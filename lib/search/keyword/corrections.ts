import { isStopWord, type WordTerms } from "../../text/mod.ts";
import { scriptOf } from "../translate/translate.ts";
import { type Guess, type Lookup, TITLE_TEXTS } from "./context.ts";
import type { Projection } from "./projection.ts";

/** Keys that lie beside each other, by rows of the keyboards for English and Arabic; letters are in normal form. */
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىهوزظ"];

/** Letters that are written for one another because they look or sound alike, or are one letter of another spelling. */
const ALIKE = "يئ هت ضظ ذز دذ سص تط ثس ثت حخ جخ ءا ؤو ئء قك غع صض طظ زر ei ie ck sz sc gj vw fv yi ao";

/** Costs of kinds of edits: `missing`, `extra` and `changed` of any letter; the others of likelier slips. */
const COSTS = {
  ...{ missing: 0.4, extra: 1.3, changed: 1.6 },
  ...{ alike: 0.5, beside: 0.7, doubled: 0.6, swapped: 0.4 },
  /** Times that a vowel counts that is missing or too much. */
  vowel: 0.7,
  /** Added for another first letter. */
  first: 0.3,
};

/** Vowels of Arabic that are written or not, and of English, which are mistaken most. */
const VOWELS = new Set("اويaeiou");

const pairs = (words: string): Set<string> => new Set(words.split(" ").flatMap(([a = "", b = ""]) => [a + b, b + a]));
const alike = pairs(ALIKE);
const beside = new Set(
  ROWS.flatMap((row, r) =>
    [...row].flatMap((key, i) => {
      const near = [row[i + 1], ROWS[r % 3 < 2 ? r + 1 : r]?.[i - 1], ROWS[r % 3 < 2 ? r + 1 : r]?.[i]];
      return near.flatMap((other) => (other === undefined || other === key ? [] : [key + other, other + key]));
    }),
  ),
);

function changed(a: string, b: string): number {
  if (a === b) return 0;
  if (alike.has(a + b)) return COSTS.alike;
  return beside.has(a + b) ? COSTS.beside : COSTS.changed;
}

/** Returns the cost of a letter of `word` at `i` that the other word has not, where any such letter costs `cost`. */
function single(word: string, i: number, cost: number): number {
  if (word[i] === word[i - 1] || word[i] === word[i + 1]) return Math.min(cost, COSTS.doubled);
  return VOWELS.has(word[i] ?? "") ? cost * COSTS.vowel : cost;
}

/**
 * Returns how unlikely it is that `written` is a slip for `meant`: edits, of which those that fingers and spelling
 * make (letters left out, swapped or doubled, neighbouring keys, letters that look alike) cost less, and one of the
 * first letter more.
 */
export function editCost(written: string, meant: string): number {
  const width = meant.length + 1;
  const costs = new Float64Array((written.length + 1) * width);
  const at = (i: number, j: number): number => costs[i * width + j] ?? 0;
  for (let i = 0; i <= written.length; i++) {
    for (let j = 0; j <= meant.length; j++) {
      if (i + j === 0) continue;
      let least = Number.POSITIVE_INFINITY;
      if (i > 0) least = Math.min(least, at(i - 1, j) + single(written, i - 1, COSTS.extra));
      if (j > 0) least = Math.min(least, at(i, j - 1) + single(meant, j - 1, COSTS.missing));
      if (i > 0 && j > 0) least = Math.min(least, at(i - 1, j - 1) + changed(written[i - 1] ?? "", meant[j - 1] ?? ""));
      if (i > 1 && j > 1 && written[i - 1] === meant[j - 2] && written[i - 2] === meant[j - 1]) {
        least = Math.min(least, at(i - 2, j - 2) + COSTS.swapped);
      }
      costs[i * width + j] = least;
    }
  }
  return at(written.length, meant.length) + (written[0] === meant[0] ? 0 : COSTS.first);
}

/** Letters of the shortest word that is taken for a typing error, and of the shortest with two of them. */
const ONE_EDIT_UNITS = 4;
const TWO_EDITS_UNITS = 8;

/** A word that is written more often than so, and than once in so many documents, is no typing error. */
const RARE_USES = 2;
const RARE_SHARE = 1 / 10_000;

/** Chosen on headlines of `ant_v1_ar` by `eval --task known-item`; all are parts of a logarithm of likelihood. */
const SLIPS = {
  /** Taken off by each unit of {@link editCost}. */
  edit: 2,
  /** Power of how often a word is used. */
  use: 0.7,
  /** Cost of other clitics than the word is written with. */
  clitic: 0.8,
  /** By how much a word must be likelier than one that is written and alone in its query. */
  alone: 2.5,
};

/** Guesses that are weighed by the other words of the query, and those that are given. */
const MAX_WEIGHED = 24;
const MAX_GIVEN = 5;
/** A guess with a smaller share is left out. */
const LEAST_SHARE = 0.04;

const LETTERS_ONLY = /^\p{L}+$/u;

/** A word of a query: its terms, and the number of its stem, 0 where no document has it. */
type Written = { terms: Pick<WordTerms, "form">; form: number; stem: number };

/** Tells whether a word may be a typing error: a word of some letters that hardly any document has. */
export function isCorrectable({ form, stems }: WordTerms, number: number, { uses, count }: Projection): boolean {
  if (stems.length !== 1 || form.length < ONE_EDIT_UNITS || !LETTERS_ONLY.test(form)) return false;
  return (uses[number] ?? 0) <= Math.max(RARE_USES, RARE_SHARE * count);
}

/** Matches conjunctions, prepositions and article before an Arabic word. */
const CLITICS = /^[وف]?(?:[بك]?ال|لل|[بكل])?/u;
const ARTICLE = "ال";

/**
 * Returns an Arabic word with other clitics than it has: a slip in a word with `و` and `ال` is found where documents
 * have that word without them.
 */
function withOtherClitics(form: string): string[] {
  const clitics = CLITICS.exec(form)?.[0] ?? "";
  const bare = form.slice(clitics.length);
  const variants = clitics === "" ? [ARTICLE + form] : bare.length < ONE_EDIT_UNITS ? [] : [bare, ARTICLE + bare];
  return variants.filter((variant) => variant !== form);
}

/** A word of the index that may have been meant, and how unlikely the slip is. */
type Candidate = { form: number; text: string; stem: number; cost: number; log: number };

/**
 * Returns the words that one may be a slip for, likeliest first. `isName`: names in the other language sound like it,
 * so that only the other words of the query can tell that it is one. `isWord`: a dictionary has it.
 */
export function correctionsOf(
  { terms, form, stem }: Written,
  lookup: Lookup & { isName: boolean; isWord: boolean },
): Guess[] {
  const { projection, context, isName, isWord } = lookup;
  const holding = projection.documents[stem] ?? 0;
  const weighed = candidatesOf(terms.form, stem, lookup)
    .sort((a, b) => b.log - a.log || a.form - b.form)
    .slice(0, MAX_WEIGHED)
    .map((candidate) => {
      const { log, together } = context.isEmpty ? { log: 0, together: 0 } : context.likelihood(candidate.stem);
      return { ...candidate, together, log: candidate.log + log };
    });
  const supported = isName ? weighed.filter(({ together }) => together > 0) : weighed;
  const accepted = holding === 0 && !isWord ? supported : heldAgainst(supported, { form, stem }, lookup);
  const best = Math.max(...accepted.map(({ log }) => log));
  const sum = accepted.reduce((total, { log }) => total + Math.exp(log - best), 0);
  return accepted
    .map(({ form, text, stem, log }) => ({ form, text, stem, share: Math.exp(log - best) / sum }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_GIVEN);
}

function logFrequency(uses: Uint32Array, form: number): number {
  return SLIPS.use * Math.log(Math.max(0.5, uses[form] ?? 0));
}

/**
 * Returns those that speak against a word that some document has: ones that stand beside the other words of the query,
 * where it stands with none of them; in a query of one word, ones that are far more frequent.
 */
function heldAgainst<T extends { stem: number; log: number; together: number }>(
  candidates: readonly T[],
  { form, stem }: Pick<Written, "form" | "stem">,
  { projection: { uses }, context, isWord }: Lookup & { isWord: boolean },
): T[] {
  if (context.isEmpty) {
    if (isWord) return [];
    const least = logFrequency(uses, form) + SLIPS.alone;
    return candidates.filter(({ log }) => log > least);
  }
  const written = context.likelihood(stem);
  // In this form it is written with the others of the query.
  if (written.together > 0 && (uses[form] ?? 0) > 0) return [];
  const least = written.log + logFrequency(uses, form);
  // A word of the language is right, unless a headline has another one in its place.
  const enough = isWord ? TITLE_TEXTS : 1;
  return candidates.filter(({ log, together }) => together >= enough && log > least);
}

function candidatesOf(word: string, stem: number, lookup: Lookup): Candidate[] {
  const one = nearest(word, 1, stem, lookup);
  return one.length > 0 || word.length < TWO_EDITS_UNITS ? one : nearest(word, 2, stem, lookup);
}

const TWO_EDITS = 2;

/** Tells whether one word is the other with letters before or behind it: `cocitation` is no slip for `citation`. */
function isDerived(word: string, other: string): boolean {
  const [long, short] = word.length > other.length ? [word, other] : [other, word];
  return long.startsWith(short) || long.endsWith(short);
}

/** Returns the words within so many edits, each stem once by its likeliest form. */
function nearest(word: string, edits: number, stem: number, { projection, numbers }: Lookup): Candidate[] {
  const { documents, uses, vocabulary } = projection;
  const best = new Map<number, Candidate>();
  const look = (variant: string, added: number): void => {
    const within = variant.length < TWO_EDITS_UNITS ? 1 : edits;
    for (const { form, edits: apart } of numbers.near(variant, within)) {
      const its = vocabulary.stems[form] ?? 0;
      if (its === stem || (documents[its] ?? 0) === 0 || (uses[form] ?? 0) === 0) continue;
      const text = numbers.text(form) ?? "";
      if (isStopWord(text) || (apart === TWO_EDITS && isDerived(variant, text))) continue;
      const cost = added + editCost(variant, text);
      const log = logFrequency(uses, form) - SLIPS.edit * cost;
      const other = best.get(its);
      if (other === undefined || cost < other.cost) {
        best.set(its, { form, text, stem: its, cost, log: Math.max(log, other?.log ?? log) });
      } else if (log > other.log) other.log = log;
    }
  };
  look(word, 0);
  if (scriptOf(word) === "arabic") for (const variant of withOtherClitics(word)) look(variant, SLIPS.clitic);
  return [...best.values()];
}
