import type { DialectSentence, EntitySentence, RelationSentence } from "@isnad/lib/contract";
import { codePointLength, codePointSlice } from "@isnad/lib/text";

type Span = { start: number; end: number };

/** What is wrong with the offsets of a sentence's entities, in words. */
export function entityProblems({ text, entities }: EntitySentence): string[] {
  const names = entities.map(({ start, end, type }) => `${type} ${start}-${end}`);
  const twice = names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${name} stands twice`);
  const crossing = entities.flatMap((a, i) =>
    entities
      .slice(i + 1)
      .filter((b) => crosses(a, b))
      .map((b) => `${a.start}-${a.end} and ${b.start}-${b.end} cross each other`),
  );
  return [...entities.flatMap((entity) => spanProblems(text, entity)), ...twice, ...crossing];
}

/** What is wrong with the offsets of a sentence's events and their arguments, in words. */
export function relationProblems({ text, events }: RelationSentence): string[] {
  return events.flatMap((event) => [
    ...spanProblems(text, event.trigger),
    ...event.arguments.flatMap((argument) => [
      ...spanProblems(text, argument),
      ...(crosses(argument, event.trigger) ? [`${argument.start}-${argument.end} crosses the trigger`] : []),
    ]),
  ]);
}

/** What is wrong with the tokens of a dialect sentence: they follow each other in its text, nothing left out. */
export function dialectProblems({ text, tokens }: DialectSentence): string[] {
  let at = 0;
  for (const { token } of tokens) {
    const start = text.indexOf(token, at);
    if (start < 0) return [`the token ${token} is not in the text after those before it`];
    const between = text.slice(at, start);
    if (/[\p{L}\p{N}]/u.test(between)) return [`no token for ${between.trim()}`];
    at = start + token.length;
  }
  const rest = text.slice(at);
  return /[\p{L}\p{N}]/u.test(rest) ? [`no token for ${rest.trim()}`] : [];
}

const crosses = (a: Span, b: Span): boolean =>
  (a.start < b.start && b.start < a.end && a.end < b.end) || (b.start < a.start && a.start < b.end && b.end < a.end);

function spanProblems(text: string, { start, end }: Span): string[] {
  const place = `${start}-${end}`;
  if (end <= start || end > codePointLength(text)) return [`${place} is no place in the text`];
  const part = codePointSlice(text, start, end);
  return part.trim() === part ? [] : [`${place} has white space around it: "${part}"`];
}
