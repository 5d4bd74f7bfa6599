import type { Expression, ExpressionFinder } from "./expressions.ts";
import type { NestedSpan } from "./nested-spans.ts";

/** The types of what is said with numbers. */
const NUMERIC = new Set(["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "CURR", "QUANTITY", "UNIT"]);

const TIMES = new Set(["DATE", "TIME"]);

/** Where the model says something of the words of these, it knows more than the rules. */
const FILLERS = new Set([...TIMES, "CARDINAL", "GPE"]);

/** Probability of an expression: the share that was right in the training sentences of nlp/lexicon/entities. */
const SURE = 0.97;

/**
 * The entities of a sentence with the amounts, percentages, measures, dates and countries that the rules find in its
 * words. A rule gives way to a name that it would cut in two, and to a longer expression of its own type; a date to any
 * date; a country and a score to any entity; what the model says otherwise of the same words gives way to the rule.
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

const spanOf = ({ type, start, end, cut }: Expression): NestedSpan => ({ type, start, end, cut, probability: SURE });
