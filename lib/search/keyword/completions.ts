import { BoundedMap } from "../../std/mod.ts";
import { isStopWord } from "../../text/mod.ts";
import { scriptOf } from "../translate/translate.ts";
import type { Projection } from "./projection.ts";
import type { Guess, Lookup } from "./context.ts";
import { kthLargest } from "./top.ts";
import type { LexiconNumbers } from "./words.ts";

/** Completions that are given. */
const MAX_COMPLETIONS = 48;
/** Words that begin alike and are looked at, the most frequent first. */
const MAX_ALIKE = 4_000;
/** Weight of how often a completion is used, beside how often it stands with the other words of the query. */
const FREQUENCY_WEIGHT = 0.05;
/** Times that a word which is begun counts more where it is whole already. */
const WHOLE_WEIGHT = 3;

/** Beginnings whose completions are cached, until one in fifty documents has changed. */
const CACHED_BEGINNINGS = 2_000;
const CHANGED_SHARE = 1 / 50;

/** Words that begin alike: their forms, and of each stem that documents hold its most likely form. */
type Begun = {
  changes: number;
  forms: readonly number[];
  stems: readonly { stem: number; form: number; gain: number }[];
};
const cached = new WeakMap<Projection, BoundedMap<string, Begun>>();

/** Returns the words that one which is only begun may become, likeliest first, and all forms that begin so. */
export function completionsOf(
  word: string,
  { projection, numbers, context }: Lookup,
): { guesses: Guess[]; forms: readonly number[] } {
  const { forms, stems } = begunWith(word, projection, numbers);
  const { vocabulary } = projection;
  const total = stems.reduce((sum, { gain }) => sum + gain, 0) || 1;
  const beside = context.isEmpty ? new Map<number, number>() : context.stemsBeside(forms);
  const together = stems.reduce((sum, { stem }) => sum + (beside.get(stem) ?? 0), 0);
  const whole = vocabulary.stems[numbers.form({ form: word })] ?? 0;
  const weights = Float64Array.from(stems, ({ stem, gain }) => {
    const share =
      together === 0 ? gain / total : (beside.get(stem) ?? 0) / together + (FREQUENCY_WEIGHT * gain) / total;
    return stem === whole ? share * WHOLE_WEIGHT : share;
  });
  const least = stems.length > MAX_COMPLETIONS ? kthLargest(weights.slice(), MAX_COMPLETIONS) : 0;
  const given = stems
    .map(({ stem, form }, i) => ({ stem, form, weight: weights[i] ?? 0 }))
    .filter(({ weight }) => weight >= least)
    .sort((a, b) => b.weight - a.weight || a.form - b.form)
    .slice(0, MAX_COMPLETIONS);
  const sum = given.reduce((all, { weight }) => all + weight, 0) || 1;
  const guesses = given.map(({ stem, form, weight }) => {
    return { form, stem, text: numbers.text(form) ?? "", share: weight / sum };
  });
  return { guesses, forms };
}

const ARTICLE = "ال";
/** A word that begins so with another article than it is begun with counts so much less. */
const OTHER_ARTICLE_WEIGHT = 0.3;

function begunWith(prefix: string, projection: Projection, numbers: LexiconNumbers): Begun {
  let known = cached.get(projection);
  if (known === undefined) {
    known = new BoundedMap(CACHED_BEGINNINGS);
    cached.set(projection, known);
  }
  const before = known.get(prefix);
  const stale = before === undefined || projection.changes - before.changes > CHANGED_SHARE * projection.count;
  if (!stale) return before;
  const begun = beginAnew(prefix, projection, numbers);
  known.set(prefix, begun);
  return begun;
}

function beginAnew(
  prefix: string,
  { documents, uses, vocabulary, changes }: Projection,
  numbers: LexiconNumbers,
): Begun {
  const likeliest = new Map<number, { form: number; gain: number }>();
  const forms: number[] = [];
  const visit = (form: number, penalty: number): void => {
    const stem = vocabulary.stems[form] ?? 0;
    const gain = (uses[form] ?? 0) * penalty;
    if (gain === 0 || (documents[stem] ?? 0) === 0) return;
    forms.push(form);
    if (gain > (likeliest.get(stem)?.gain ?? 0)) likeliest.set(stem, { form, gain });
  };
  numbers.beginning(prefix, (form) => visit(form, 1));
  if (scriptOf(prefix) === "arabic") {
    const other = withOtherArticle(prefix);
    if (other !== "") numbers.beginning(other, (form) => visit(form, OTHER_ARTICLE_WEIGHT));
  }
  const stems = [...likeliest]
    .sort(([, a], [, b]) => b.gain - a.gain)
    .slice(0, MAX_ALIKE)
    .filter(([, { form }]) => !isStopWord(numbers.text(form) ?? ""))
    .map(([stem, { form, gain }]) => ({ stem, form, gain }));
  const kept = new Set(stems.map(({ stem }) => stem));
  return { changes, stems, forms: forms.filter((form) => kept.has(vocabulary.stems[form] ?? 0)) };
}

/** Returns an Arabic beginning with the article where it has none, and without it where enough is left of it. */
function withOtherArticle(prefix: string): string {
  if (!prefix.startsWith(ARTICLE)) return ARTICLE + prefix;
  return prefix.length > ARTICLE.length + 1 ? prefix.slice(ARTICLE.length) : "";
}
