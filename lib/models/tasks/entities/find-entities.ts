import { unitToCodePoint } from "../../../text/characters.ts";
import { displayName } from "../../../text/names.ts";
import type { TagSpan } from "./spans.ts";
import type { Entity } from "./entity.ts";
import { foldToken, type Proclitic, procliticOf, type TextToken, unitsOf } from "./tokens.ts";

/** A sentence of a text with the spans found in it. */
export type FoundSentence = { tokens: readonly TextToken[]; spans: readonly TagSpan[] };

/**
 * The names in a text, in order, from the spans of its sentences. Conjunctions and prepositions written onto an Arabic
 * name do not belong to it (but the ل of لل stays in `text`, as the name cannot be cut from it).
 */
export function findEntities(
  text: string,
  sentences: readonly FoundSentence[],
  rank: ReadonlyMap<string, number>,
): Entity[] {
  const toCodePoint = unitToCodePoint(text);
  const entities: Entity[] = [];
  for (const { tokens, spans } of sentences) {
    for (const { type, start, end, probability } of spans) {
      const first = tokens[start];
      const last = tokens[end - 1];
      if (first === undefined || last === undefined) continue;
      const proclitic = procliticOf(foldToken(first.text), rank);
      const joined = proclitic !== undefined && lettersBack(proclitic, first.text);
      const cut = proclitic === undefined || joined ? 0 : unitsOf(first.text, proclitic.letters);
      const from = first.start + cut;
      const tail = text.slice(first.end, last.end);
      const name = displayName(joined ? `${proclitic.rest}${tail}` : text.slice(from, last.end), type);
      if (name === "") continue;
      entities.push({
        type,
        text: text.slice(from, last.end),
        name,
        start: toCodePoint(from),
        end: toCodePoint(last.end),
        confidence: probability,
      });
    }
  }
  return entities;
}

/** Whether the word without its proclitic has a letter that is not written: the alef of the article after ل. */
function lettersBack({ letters, rest }: Proclitic, word: string): boolean {
  return rest.length > foldToken(word).length - letters;
}
