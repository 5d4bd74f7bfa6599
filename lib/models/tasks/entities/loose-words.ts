import type { NestedSpan } from "./spans.ts";

/** English words that begin no name, and that end none. */
const LOOSE_FIRST = /^(?:and|or|of|at|in|on|by|for|to|with|from|as|said|\p{P})$/iu;
const LOOSE_LAST = /^(?:and|or|of|at|in|on|by|for|to|with|from|as|the|a|an|said|[,;:])$/iu;

/** English words that are no entity alone. */
const NO_ENTITY = /^(?:the|a|an|this|that|these|those|it|its|he|she|they|per|late|long-term|\p{P}+|&lt|&gt)$/iu;

/** Arabic prepositions, and particles with their pronouns, which are no entity alone: منذ, أنهن. */
const PARTICLE =
  /^[وف]?(?:منذ|بعد|قبل|خلال|حتى|عند|عبر|في|من|إلى|على|عن|[أإ]ن(?:ه|ها|هم|هما|هن|نا|ني)?|لكن(?:ه|ها|هم)?)$/u;

/** Types whose English names have a capital or a digit somewhere. */
const CAPITALISED = /^(?:PERS|GPE|LOC|FAC|PRODUCT|WEBSITE|LAW|LANGUAGE)$/;

/** Organisations that texts name in small letters. */
const COMMON_ORGANISATION = /^(?:government|police|army|court|parliament|congress|senate|council|cabinet|military)$/i;

/** A word in the accusative with its marks (ميتاً), which no name of a person ends with. */
const INDEFINITE = /\u064b|\u0627\u064b$/u;

/**
 * Returns the spans without English words that begin or end no name (`president and`), and without those that are
 * nothing else (`The`, منذ), name something in small letters, or are an Arabic adjective in the accusative alone.
 */
export function withoutLooseWords(spans: readonly NestedSpan[], texts: readonly string[]): NestedSpan[] {
  const left = spans.flatMap((span) => {
    if (span.type === "PERS" && span.end - span.start === 1 && INDEFINITE.test(texts[span.start] ?? "")) return [];
    if (texts.slice(span.start, span.end).some((word) => /\p{Script=Arabic}/u.test(word))) {
      return texts.slice(span.start, span.end).every((word) => PARTICLE.test(word)) ? [] : [span];
    }
    let { start, end } = span;
    while (start < end && LOOSE_FIRST.test(texts[start] ?? "")) start++;
    while (start < end && LOOSE_LAST.test(texts[end - 1] ?? "")) end--;
    const words = texts.slice(start, end);
    if (words.every((word) => NO_ENTITY.test(word))) return [];
    const isCommon = words.some((word) => COMMON_ORGANISATION.test(word));
    const hasCapital = words.some((word) => /[\p{Lu}\p{Lt}\p{N}]/u.test(word));
    const isName = CAPITALISED.test(span.type) || (span.type === "ORG" && !isCommon);
    return isName && !hasCapital && words.some((word) => /\p{Ll}/u.test(word)) ? [] : [{ ...span, start, end }];
  });
  return left.filter((span, i) => left.findIndex(({ start, end }) => start === span.start && end === span.end) === i);
}
