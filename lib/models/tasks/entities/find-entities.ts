import { unitToCodePoint } from "../../../text/characters.ts";
import { displayName } from "../../../text/names.ts";
import type { Entity } from "./aliases.ts";
import type { TaggedSentence, TagSpan } from "./spans.ts";
import type { TextToken } from "../../../text/sentences.ts";
import { foldToken, type Proclitic, procliticOf, unitsOf } from "./tokens.ts";

/** A sentence of a text with the spans found in it. */
type FoundSentence = { tokens: readonly TextToken[]; spans: readonly TagSpan[] };

/**
 * Returns the names in a text, in order, from the spans of its sentences. Conjunctions and prepositions written onto an
 * Arabic name do not belong to it (but the ل of لل stays in `text`, as the name cannot be cut from it).
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

/** Tells whether the word without its proclitic has a letter that is not written: the alef of the article after ل. */
function lettersBack({ letters, rest }: Proclitic, word: string): boolean {
  return rest.length > foldToken(word).length - letters;
}

/** A sentence of a document: its tokens as written and folded, and what was found in it by itself. */
export type DocumentSentence = { tokens: readonly string[]; words: readonly string[]; tagged: TaggedSentence };

/**
 * A name found with this probability counts for the rest of its document; the best of .75 to .96 on the held-out sets.
 */
const MIN_SPREAD_PROBABILITY = 0.75;

/**
 * Probability of a name that is known from elsewhere in its document only: the share that was right on the held-out
 * sets (18 of 33).
 */
const SPREAD_PROBABILITY = 0.55;

const MAX_NAME_WORDS = 4;
const PERSON = new Set(["PER", "person"]);

/**
 * Adds to the sentences of a document the names that were surely found elsewhere in it, where a sentence by itself said
 * nothing: the same words, and the last word of a person's name. Words in Latin letters must begin with a capital.
 * After the non-local features of Finkel, Grenager and Manning (2005), as a rule.
 */
export function spreadNames(document: readonly DocumentSentence[]): TaggedSentence[] {
  const names = sureNames(document);
  if (names.size === 0) return document.map(({ tagged }) => tagged);
  return document.map(({ tokens, words, tagged }) => {
    const tags = [...tagged.tags];
    const added: TagSpan[] = [];
    for (let start = 0; start < words.length; ) {
      const name = nameAt(names, tokens, words, tags, start);
      if (name === undefined) {
        start++;
        continue;
      }
      tags.fill(`I-${name.type}`, start, name.end);
      tags[start] = `B-${name.type}`;
      added.push({ ...name, start, probability: SPREAD_PROBABILITY });
      start = name.end;
    }
    if (added.length === 0) return tagged;
    return { tags, spans: [...tagged.spans, ...added].sort((a, b) => a.start - b.start) };
  });
}

/** Returns the surely found names of a document, folded, with their types and how often each. */
function sureNames(document: readonly DocumentSentence[]): Map<string, Map<string, number>> {
  const typeCounts = new Map<string, Map<string, number>>();
  const count = (name: string, type: string): void => {
    const types = typeCounts.get(name) ?? new Map<string, number>();
    typeCounts.set(name, types.set(type, (types.get(type) ?? 0) + 1));
  };
  for (const { words, tagged } of document) {
    for (const { type, start, end, probability } of tagged.spans) {
      if (probability < MIN_SPREAD_PROBABILITY) continue;
      count(words.slice(start, end).join(" "), type);
      if (PERSON.has(type) && end - start > 1) count(words[end - 1] ?? "", type);
    }
  }
  return typeCounts;
}

/** Returns the longest known name that begins at a token, over tokens without a tag. */
function nameAt(
  known: ReadonlyMap<string, ReadonlyMap<string, number>>,
  tokens: readonly string[],
  words: readonly string[],
  tags: readonly string[],
  start: number,
): { type: string; end: number } | undefined {
  if (/^\p{Ll}/u.test(tokens[start] ?? "")) return undefined;
  let free = start;
  while (free < words.length && free < start + MAX_NAME_WORDS && tags[free] === "O") free++;
  for (let end = free; end > start; end--) {
    const name = words.slice(start, end).join(" ");
    const types = name.length > 2 ? known.get(name) : undefined;
    if (types === undefined) continue;
    const [type] = [...types].reduce((best, next) => (next[1] > best[1] ? next : best));
    return { type, end };
  }
  return undefined;
}
