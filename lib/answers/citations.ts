import { monthsBesideNumbers } from "../text/dates/mod.ts";
import { codePointSlicer, sentences } from "../text/mod.ts";
import { coverage, numbersOf, quantitiesOf, stemsOf, topicOf } from "./question.ts";
import type { Citation, Source } from "./tasks.ts";

/** A sentence of a source: code points of the article's content, or its headline. */
export type SourceSentence = { source: Source; text: string; offsets: { start: number; end: number } | null };

/** Returns the sentences of a source, its headline the first. */
export function sentencesOf(source: Source): SourceSentence[] {
  const headline = source.title.trim() === "" ? [] : [{ source, text: source.title, offsets: null }];
  const body = source.passages.flatMap(({ text, start: from }) => {
    const slice = codePointSlicer(text);
    return sentences(text).map(({ start, end }) => {
      return { source, text: slice(start, end), offsets: { start: from + start, end: from + end } };
    });
  });
  return [...headline, ...body];
}

/** Citations as an answer writes them, several together: `[1][2]`. */
const CITED = /(?: {0,3}\[\d{1,3}\])+/g;

/** Citations that one answer lists, at most. */
const MAX_CITATIONS = 64;

/**
 * Returns what a language model's answer rests on: for each citation the sentence of its source that has most of the
 * statement's words, and which numbers and months of the statement no passage of the source has. What an answer says
 * beside its cited statements is held against all sources, and marked at the citation next to it.
 */
export function citationsOf(answer: string, sources: readonly Source[]): Citation[] {
  const citations: Citation[] = [];
  const all = sources.map(textOf).join("\n");
  let from = 0;
  for (const match of answer.matchAll(CITED)) {
    const { before, statement } = lastSentence(answer.slice(from, match.index));
    const beside = unsaid(before, all);
    from = match.index + match[0].length;
    for (const [, n] of match[0].matchAll(/\[(\d+)\]/g)) {
      const source = sources.find((each) => each.n === Number(n));
      const citation = source && citationOf(statement, source);
      if (citation !== undefined && citations.length < MAX_CITATIONS) citations.push(marked(citation, beside));
    }
  }
  const last = citations.at(-1);
  return last === undefined ? [] : [...citations.slice(0, -1), marked(last, unsaid(answer.slice(from), all))];
}

function marked(citation: Citation, more: readonly string[]): Citation {
  const unsupported = [...new Set([...(citation.unsupported ?? []), ...more])];
  return unsupported.length === 0 ? citation : { ...citation, unsupported };
}

function lastSentence(text: string): { before: string; statement: string } {
  const slice = codePointSlicer(text);
  const last = sentences(text).at(-1);
  return last === undefined
    ? { before: "", statement: text }
    : { before: slice(0, last.start), statement: slice(last.start, last.end) };
}

const textOf = ({ title, passages }: Source): string => [title, ...passages.map(({ text }) => text)].join("\n");

function citationOf(statement: string, source: Source): Citation | undefined {
  const topic = topicOf(statement);
  const candidates = sentencesOf(source).map((sentence) => ({
    ...sentence,
    share: coverage(topic, stemsOf(sentence.text)),
  }));
  const [best] = candidates.toSorted((a, b) => b.share - a.share);
  if (best === undefined) return undefined;
  return marked({ n: source.n, quote: best.text, offsets: best.offsets }, unsaid(statement, textOf(source)));
}

/**
 * Returns the numbers and the months of dates that a statement has and a text has not. A number of millions is not one
 * of billions; without such a word, on either side, it is both. What is not surely a number only counts as said.
 */
function unsaid(statement: string, text: string): string[] {
  const said = quantitiesOf(text);
  const dated = monthsBesideNumbers(text);
  return [
    ...quantitiesOf(statement)
      .filter(({ number, scale, value, isSure }) => {
        return (
          isSure &&
          !said.some((each) => {
            return each.value === value || (each.number === number && (scale === 1 || each.scale === 1));
          })
        );
      })
      .map(({ written }) => written),
    ...monthsBesideNumbers(statement).flatMap(({ month, written, days, dayWritten }) => {
      const same = dated.filter((each) => each.month === month);
      if (same.length === 0) return [written];
      const isOther =
        dayWritten !== undefined &&
        days.every((day) => said.some(({ value }) => value === day)) &&
        same.every((each) => each.days.length > 0 && !days.some((day) => each.days.includes(day)));
      return isOther ? [dayWritten] : [];
    }),
    ...swappedDates(statement, text),
  ];
}

/** A date in numbers, its year the last: day and month, or month and day. */
const DATE_IN_NUMBERS = /(?<![\p{N}/.-])(\p{Nd}{1,2})([/.-])(\p{Nd}{1,2})\2(\p{Nd}{4})(?![\p{N}/])/gu;

/** Returns the dates in numbers of which a text has day and month the other way round, and not so. */
function swappedDates(statement: string, text: string): string[] {
  const keyOf = (...parts: readonly string[]) => parts.flatMap(numbersOf).map(Number).join("/");
  const datesOf = (of: string) =>
    Array.from(of.matchAll(DATE_IN_NUMBERS), ([written, first = "", , second = "", year = ""]) => {
      return { written, key: keyOf(first, second, year), swapped: keyOf(second, first, year) };
    });
  const said = new Set(datesOf(text).map(({ key }) => key));
  return datesOf(statement).flatMap(({ written, key, swapped }) =>
    !said.has(key) && said.has(swapped) ? [written] : [],
  );
}
