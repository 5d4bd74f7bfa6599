import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { z } from "zod";
import { JOINED, MULTIPLES, NUMBERS } from "./find-entities.ts";
import type { NestedSpan } from "./spans.ts";

/**
 * Holds what is said with numbers: tokens from `start` to `end` (exclusive); `cut` letters of the first stand before
 * it.
 */
type Expression = { type: string; start: number; end: number; cut: number };

const names = z.array(z.string());
const tableSchema = z.object({ countries: names, months: names, currencies: names, units: names });

/** Currencies and units that are called by one word, which the table has with their country or not at all. */
const CURRENCIES =
  "دولار دولارا دولارات دولارين يورو جنيه جنيها جنيهات جنيهين ليره ليرات ليرتين دينار دينارا دنانير دينارين درهم درهما دراهم ريال ريالا ريالات ريالين شيكل شيكلا شواكل فرنك فرنكا روبل روبلا ين يوان روبيه تومان قرش قروش سنت سنتا مليم مليما سنتيما";
const UNITS =
  "كيلو كيلوغراما كيلوغرامات كيلومترين كم كلم كغ سم مترين امتار لتر لترا لترات طنا اطنان طنين برميل برميلا براميل فدان فدانا افدنه هكتار هكتارا دونما مليغراما ميكروغراما ملم ملليمترات مليمترات نانومتر نانومترات مليلترات ملليلترات كيلومترات دونمات قنطار قنطارا قناطير ميغاواط ميجاواط غيغاواط كيلوواط نسمه مليمترا ملليمتر";
const PERCENT = /^[%٪]$/;
const HUNDREDTH = /^(?:المييه|الميه|المايه)$/;
const JOINED_HUNDREDTH = /^ب(?:الميه|المايه)$/;
const PROCLITIC = /^[وفبلك]../;
const SCORE = /^0{1,2}-0{1,2}$/;
const DAY = /^0{1,2}$/;
const YEAR = /^0{4}$/;
const SHAPE = /^(?:مربع|مكعب|بحري)[اه]?$/;
const WATT = /واط$/;
const PER = /^(?:س|ث|الساعه|الثانيه|الدقيقه|اليوم)$/;
const DIGITS = /^0+(?:[.,\u066b\u066c]0+)*$/;
const PREFIX = /^(?:[وف]?[بلك]?)(?=..)/;

/** Finds countries, scores, dates, amounts of money, percentages and measures in the folded words of a sentence. */
type ExpressionFinder = (words: readonly string[]) => Expression[];

let shipped: ExpressionFinder | undefined;

/** Returns the finder over the table that ships (names out of the Unicode CLDR); read at the first call. */
export function expressionFinder(): ExpressionFinder {
  shipped ??= createExpressionFinder(
    JSON.parse(readFileSync(new URL("../../../../nlp/lexicon/expressions.json", import.meta.url), "utf8")),
  );
  return shipped;
}

/** Returns a finder over a table of folded names. @throws ZodError for another form */
function createExpressionFinder(table: unknown): ExpressionFinder {
  const { countries, months, currencies, units } = tableSchema.parse(table);
  const monthNames = phrases(months);
  const countryNames = phrases(countries);
  const currencyNames = phrases([...currencies, ...CURRENCIES.split(" ")]);
  const unitNames = phrases([...units, ...UNITS.split(" ")]);
  return (words) => {
    const expressions: Expression[] = [];
    for (let start = 0; start < words.length; start++) {
      const date = dateEnd(words, start, monthNames);
      if (date > start) {
        expressions.push({ type: "DATE", start, end: date, cut: 0 });
        start = date - 1;
        continue;
      }
      if (SCORE.test(words[start] ?? "")) expressions.push({ type: "CARDINAL", start, end: start + 1, cut: 0 });
      const country = countryAt(countryNames, words, start);
      if (country !== undefined) {
        expressions.push({ type: "GPE", start, ...country });
        start = country.end - 1;
        continue;
      }
      const number = numberAt(words, start);
      if (number === undefined) continue;
      const { end, cut } = number;
      const percent = percentAt(words, end);
      const money = longestAt(currencyNames, words, end);
      const unit = unitEnd(words, longestAt(unitNames, words, end), end);
      if (percent > end) expressions.push({ type: "PERCENT", start, end: percent, cut });
      else if (money > end && money >= unit) {
        expressions.push({ type: "MONEY", start, end: money, cut }, { type: "CURR", start: end, end: money, cut: 0 });
      } else if (unit > end) {
        expressions.push({ type: "QUANTITY", start, end: unit, cut }, { type: "UNIT", start: end, end: unit, cut: 0 });
      }
      start = Math.max(percent, money, unit, end) - 1;
    }
    return expressions;
  };
}

/** Names by their first word, the longest first. */
function phrases(all: readonly string[]): ReadonlyMap<string, readonly string[][]> {
  const split = [...new Set(all)].map((name) => name.split(" ")).sort((a, b) => b.length - a.length);
  return Map.groupBy(split, ([first = ""]) => first);
}

/** Tells where the longest name that begins at a word ends; the word itself where there is none. */
function longestAt(names: ReadonlyMap<string, readonly string[][]>, words: readonly string[], from: number): number {
  const own = names.get(words[from] ?? "")?.find((name) => name.every((word, i) => words[from + i] === word));
  return from + (own?.length ?? 0);
}

function percentAt(words: readonly string[], from: number): number {
  const word = words[from] ?? "";
  if (PERCENT.test(word) || JOINED_HUNDREDTH.test(word)) return from + 1;
  return word === "في" && HUNDREDTH.test(words[from + 1] ?? "") ? from + 2 : from;
}

/** Returns the end of a calendar date that begins at a word: a month with a day before it or a year after it. */
function dateEnd(words: readonly string[], start: number, months: ReadonlyMap<string, readonly string[][]>): number {
  const hasDay = DAY.test(words[start] ?? "");
  const month = hasDay ? start + 1 : start;
  let end = longestAt(months, words, month);
  if (end === month) return start;
  const hasYear = YEAR.test(words[end] ?? "");
  if (!hasDay && !hasYear) return start;
  if (hasYear) end++;
  return hasYear && words[end] === "ه" ? end + 1 : end;
}

/** Returns the country whose name begins at a word, after a conjunction or preposition or without one. */
function countryAt(
  countries: ReadonlyMap<string, readonly string[][]>,
  words: readonly string[],
  start: number,
): { end: number; cut: number } | undefined {
  const [first = "", ...rest] = words.slice(start, start + 6);
  for (const cut of PROCLITIC.test(first) ? [0, 1] : [0]) {
    const end = longestAt(countries, [first.slice(cut), ...rest], 0);
    if (end > 0) return { end: start + end, cut };
  }
  return undefined;
}

/** Returns the end of a unit with what makes it a square, cube, nautical or per time. */
function unitEnd(words: readonly string[], from: number, number: number): number {
  if (from === number) return from;
  let end = from;
  if (SHAPE.test(words[end] ?? "")) end++;
  if (words[end] === "ساعه" && WATT.test(words[end - 1] ?? "")) end++;
  if (words[end] === "/" && PER.test(words[end + 1] ?? "")) return end + 2;
  return words[end] === "في" && PER.test(words[end + 1] ?? "") ? end + 2 : end;
}

/** Returns the number that begins at a word: digits or words, and what multiplies it or goes on with و. */
function numberAt(words: readonly string[], start: number): { end: number; cut: number } | undefined {
  const first = words[start] ?? "";
  const cut = DIGITS.test(first) || NUMBERS.has(first) ? 0 : (PREFIX.exec(first)?.[0].length ?? 0);
  const bare = first.slice(cut);
  if (!DIGITS.test(bare) && !NUMBERS.has(bare)) return undefined;
  let end = start + 1;
  if (words[start - 1] === "بين" && words[end] === "و" && DIGITS.test(words[end + 1] ?? "")) end += 2;
  for (;;) {
    const next = words[end] ?? "";
    const goesOn = MULTIPLES.has(next) || (next.startsWith("و") && JOINED.has(next.slice(1)));
    if (!goesOn) return { end, cut };
    end++;
  }
}

/** The types of what is said with numbers. */
const NUMERIC = new Set(["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "CURR", "QUANTITY", "UNIT"]);

const TIMES = new Set(["DATE", "TIME"]);

/** Says where the model says something of the words of these, it knows more than the rules. */
const FILLERS = new Set([...TIMES, "CARDINAL", "GPE"]);

/** Probability of an expression: the share that was right in the training sentences of nlp/lexicon/entities. */
const EXPRESSION_PROBABILITY = 0.97;

/**
 * Returns the entities of a sentence with the amounts, percentages, measures, dates and countries that the rules find
 * in its words. A rule gives way to a name that it would cut in two, and to a longer expression of its own type; a date
 * to any date; a country and a score to any entity; what the model says otherwise of the same words gives way to the
 * rule.
 */
export function withExpressions(
  spans: readonly NestedSpan[],
  words: readonly string[],
  find: ExpressionFinder,
): NestedSpan[] {
  const added: NestedSpan[] = [];
  let kept = [...spans];
  for (const outer of outermost(find(words))) {
    if (kept.some((span) => crosses(span, outer) && !NUMERIC.has(span.type))) continue;
    if (kept.some((span) => span.type === outer.type && holds(span, outer))) continue;
    const isFiller = FILLERS.has(outer.type);
    if (isFiller && kept.some((span) => overlaps(span, outer) && !(TIMES.has(outer.type) && !TIMES.has(span.type))))
      continue;
    kept = kept.filter((span) => !overlaps(span, outer) || (!NUMERIC.has(span.type) && !isWithin(span, outer)));
    added.push(...[outer, ...outer.inner].map((part) => spanOf(part)));
  }
  if (added.length === 0) return kept;
  return [...kept, ...added].sort((a, b) => a.start - b.start || b.end - a.end);
}

type Place = { start: number; end: number };

const overlaps = (a: Place, b: Place): boolean => a.start < b.end && b.start < a.end;
const isWithin = (a: Place, b: Place): boolean => b.start <= a.start && a.end <= b.end;
const holds = (a: Place, b: Place): boolean => isWithin(b, a) && a.end - a.start > b.end - b.start;
const crosses = (a: Place, b: Place): boolean => overlaps(a, b) && !isWithin(a, b) && !isWithin(b, a);

/** Expressions with those that lie in them. */
function outermost(all: readonly Expression[]): (Expression & { inner: Expression[] })[] {
  const out: (Expression & { inner: Expression[] })[] = [];
  for (const each of all) {
    const last = out.at(-1);
    if (last !== undefined && isWithin(each, last)) last.inner.push(each);
    else out.push({ ...each, inner: [] });
  }
  return out;
}

const spanOf = ({ type, start, end, cut }: Expression): NestedSpan => ({
  type,
  start,
  end,
  cut,
  probability: EXPRESSION_PROBABILITY,
});
