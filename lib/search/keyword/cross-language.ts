import { at, BoundedMap } from "../../std/mod.ts";
import { sharedDictionary, soundKey, wordTerms } from "../../text/mod.ts";
import {
  bestNames,
  type Script,
  scriptOf,
  translatableWords,
  translate,
  type Translation,
} from "../translate/translate.ts";
import type { Segment } from "./postings.ts";
import type { Projection } from "./projection.ts";
import { frequencyTable, inverseFrequency, type TermGroup } from "./score.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { TermNumbers, Words } from "./words.ts";

/** What an engine looks for in documents of the other language than a query's. */
export type AcrossTerms = {
  /** Stems that mean the same as words of the query. */
  stems: readonly string[];
  /** How words of the query sound that may be names, as {@link soundToken} has it. */
  sounds: readonly string[];
};

const OTHER: Readonly<Record<Script, Script>> = { arabic: "latin", latin: "arabic" };

/** Words whose sounds are cached: each takes some microseconds, and texts repeat most of theirs. */
const CACHED_QUERIES = 50_000;
const known = new BoundedMap<string, string>(CACHED_QUERIES);

/**
 * How a word in normal form sounds, with the script it is written in, in letters of ASCII; empty for numbers and words
 * of a single consonant.
 */
export function soundToken(form: string): string {
  const remembered = known.get(form);
  if (remembered !== undefined) return remembered;
  const script = scriptOf(form);
  const key = script === undefined ? "" : soundKey(form);
  const token = key === "" || script === undefined ? "" : tokenOf(script, key);
  known.set(form, token);
  return token;
}

/** The token of words in this script with this key of sound. */
export function tokenOf(script: Script, key: string): string {
  return (script === "arabic" ? "a" : "l") + key;
}

/** The terms of a query in the other language. */
export function acrossTerms(query: string): AcrossTerms {
  const stems = new Set<string>();
  const sounds = new Set<string>();
  const words = translatableWords(query);
  for (const from of ["arabic", "latin"] as const) {
    for (const { options, name } of translate(words, from, sharedDictionary())) {
      for (const { stem } of options) stems.add(stem);
      const key = name === undefined ? "" : soundKey(name);
      if (key !== "") sounds.add(tokenOf(OTHER[from], key));
    }
  }
  return { stems: [...stems], sounds: [...sounds] };
}

/** The groups of terms that documents in each script are searched for, beside the query's own words. */
type TranslatedQuery = ReadonlyMap<Script, readonly TranslatedGroup[]>;

/**
 * A term of the index that a word of the query may be; `form`: as a document has it, where that is known, else the stem
 * that the dictionary gives. To read a form takes longer than all else, and few are said.
 */
type Option = { term: number; share: number; form: string | undefined; stem: string };

type TranslatedGroup = TermGroup & { words: readonly Option[] };

/** What a word of like sound is worth where the dictionary has the one asked for, and again where it has that word. */
const NAME = 0.3;
const ORDINARY = 0.3;

const FROM: Readonly<Record<Script, Script>> = { arabic: "latin", latin: "arabic" };

type Fields = { title: number; content: number };

/** Words whose options are cached. */
const CACHED_WORDS = 20_000;

/**
 * What was translated since the projection changed last: words, and the latest query, since a search by words and one
 * by meaning ask for the same, one right after the other.
 */
type Known = { changes: number; words: BoundedMap<string, readonly Option[]>; asked: string; latest: TranslatedQuery };
const remembered = new WeakMap<Projection, Known>();

/** A query in the language that it is not written in, for the documents in that one; empty where there are none. */
export function translatedQuery(
  text: string,
  projection: Projection,
  numbers: TermNumbers,
  fields: Fields,
): TranslatedQuery {
  if (!canSpell(numbers)) return new Map();
  const known = knownOf(projection);
  const asked = `${fields.title} ${fields.content} ${text}`;
  if (known.asked !== asked) {
    known.latest = translateFor(text, { projection, numbers, words: known.words }, fields);
    known.asked = asked;
  }
  return known.latest;
}

function knownOf(projection: Projection): Known {
  const { changes } = projection;
  let known = remembered.get(projection);
  if (known === undefined || known.changes !== changes) {
    known = { changes, words: new BoundedMap(CACHED_WORDS), asked: "", latest: new Map() };
    remembered.set(projection, known);
  }
  return known;
}

/** Returns whether documents in the other language hold translations of a word, or names that sound like it. */
export function isTranslated(word: string, projection: Projection, numbers: TermNumbers): "word" | "name" | undefined {
  if (!canSpell(numbers)) return undefined;
  const groups = [
    ...translateFor(word, { projection, numbers, words: knownOf(projection).words }, SHAPE).values(),
  ].flat();
  if (groups.length === 0) return undefined;
  const stems = translatableWords(word).flatMap(({ terms }) => terms.stems);
  return stems.some((stem) => sharedDictionary().options(stem).length > 0) ? "word" : "name";
}

const SHAPE: Fields = { title: 1, content: 1 };

/** What the words of a query are looked up in. */
type Lookup = { projection: Projection; numbers: SpellingNumbers; words: Known["words"] };

function translateFor(text: string, lookup: Lookup, { title, content }: Fields): TranslatedQuery {
  const translated = new Map<Script, readonly TranslatedGroup[]>();
  const { projection } = lookup;
  const documents = documentsIn(projection);
  const frequencies = frequencyTable(title, content);
  const query = translatableWords(text);
  for (const to of ["arabic", "latin"] as const) {
    if (documents[to] <= 0) continue;
    const groups = translate(query, FROM[to], sharedDictionary()).flatMap((translation) => {
      const options = rememberedOptions(translation, lookup, to);
      if (options.length === 0) return [];
      const best = Math.max(...options.map(({ share }) => share));
      const terms = options.map(({ term, share }) => ({ term, share: share / best }));
      const holding = terms.reduce((sum, { term, share }) => sum + share * at(projection.documents, term), 0);
      const weight = translation.weight * inverseFrequency(documents[to], Math.min(documents[to], holding));
      return [{ terms, weight, frequencies, words: options }];
    });
    if (groups.length > 0) translated.set(to, groups);
  }
  return translated;
}

/** How many documents are mostly in each script. */
export function documentsIn({ segments, count, inArabic }: Projection): Record<Script, number> {
  const arabic = inArabic ?? segments.reduce((sum, segment) => sum + segment.inArabic, 0);
  return { arabic, latin: count - arabic };
}

type SpellingNumbers = Pick<Words, "form" | "term" | "text" | "spellings">;

function canSpell(numbers: TermNumbers): numbers is SpellingNumbers {
  return numbers.spellings !== undefined && numbers.text !== undefined;
}

/** As {@link optionsIn}; those of a word by itself, which may be a name, are cached. */
function rememberedOptions(translation: Translation, lookup: Lookup, to: Script): readonly Option[] {
  if (translation.name === undefined) return optionsIn(translation, lookup, to);
  const asked = `${to} ${translation.name}`;
  const known = lookup.words.get(asked);
  if (known !== undefined) return known;
  const options = optionsIn(translation, lookup, to);
  lookup.words.set(asked, options);
  return options;
}

/** The terms of the index that a word may be: what the dictionary says, and words that sound like it. */
function optionsIn({ options, name }: Translation, { projection, numbers }: Lookup, to: Script): Option[] {
  const { documents, vocabulary } = projection;
  const found = new Map<number, Option>();
  const add = (term: number, share: number, said: Pick<Option, "form" | "stem">) => {
    if (term === 0 || (documents[term] ?? 0) === 0) return;
    found.set(term, { term, ...said, share: share + (found.get(term)?.share ?? 0) });
  };
  for (const { stem, share } of options) add(numbers.term(stem), share, { form: undefined, stem });
  if (name === undefined) return [...found.values()];
  const spellings = numbers.spellings(name, to, vocabulary.forms).flatMap(({ form, number, distance }) => {
    const term = vocabulary.stems[number] ?? 0;
    const holding = documents[term] ?? 0;
    return holding > 0 ? [{ form, term, distance, holding }] : [];
  });
  const isOrdinary = (form: string) => sharedDictionary().options(wordTerms(form).stems[0] ?? "").length > 0;
  // Of two spellings of one stem the last is said.
  for (const { form, term, share } of bestNames(spellings.sort((a, b) => (a.form < b.form ? -1 : 1)))) {
    add(term, share * (options.length === 0 ? 1 : NAME * (isOrdinary(form) ? ORDINARY : 1)), { form, stem: form });
  }
  return [...found.values()];
}

/** Translations of a word that are said of it; twice where it counts so much of what the heaviest one does. */
const SAID = 2;
const HEAVY = 0.7;

/**
 * A translated query as text: the likeliest translations of each word, in all languages, as words that documents have,
 * not as stems; models of meaning know words. In English the heaviest are said twice; in Arabic it did not help.
 */
export function asText(
  translated: TranslatedQuery,
  { vocabulary }: Pick<Projection, "vocabulary">,
  numbers: TermNumbers,
): string {
  const textOf = ({ term, form, stem }: Option): string => form ?? shortestForm(term, vocabulary, numbers) ?? stem;
  const heaviest = Math.max(...Array.from(translated.values(), (groups) => groups.map(({ weight }) => weight)).flat());
  const said: string[] = [];
  for (const [script, groups] of translated) {
    for (const { words, weight } of groups) {
      const likeliest = words.toSorted((a, b) => b.share - a.share || (a.stem < b.stem ? -1 : 1)).slice(0, SAID);
      const texts = likeliest.map(textOf);
      const times = script === "latin" && weight > HEAVY * heaviest ? 2 : 1;
      for (let i = 0; i < times; i++) said.push(...texts);
    }
  }
  return said.join(" ");
}

/** The shortest forms of stems in a vocabulary, each of those up to a form. */
const shortest = new WeakMap<Vocabulary, BoundedMap<number, { upTo: number; text: string }>>();

/**
 * The shortest form that the index has of a stem, of several the first by code units, so that it does not depend on the
 * order in which documents came. Each form is read once.
 */
function shortestForm(stem: number, vocabulary: Vocabulary, numbers: TermNumbers): string | undefined {
  let ofStems = shortest.get(vocabulary);
  if (ofStems === undefined) {
    ofStems = new BoundedMap(CACHED_WORDS);
    shortest.set(vocabulary, ofStems);
  }
  const known = ofStems.get(stem);
  let best = known?.text;
  let upTo = known?.upTo ?? 0;
  vocabulary.forEachFormOf(
    stem,
    (form) => {
      const text = numbers.text?.(form);
      if (text === undefined) return;
      upTo = Math.max(upTo, form);
      if (best === undefined || text.length < best.length || (text.length === best.length && text < best)) best = text;
    },
    known?.upTo,
  );
  if (best !== undefined && upTo !== known?.upTo) ofStems.set(stem, { upTo, text: best });
  return best;
}

/** The same with the groups that count most, and are rarest, first: the order in which they are looked for. */
export function rareFirst(translated: TranslatedQuery): TranslatedQuery {
  return new Map(
    Array.from(translated, ([script, groups]) => [script, groups.toSorted((a, b) => b.weight - a.weight)]),
  );
}

/** Documents of a segment, from `from` to before `to`, and the groups that they are searched for too. */
type Parted = { from: number; to: number; groups: readonly TermGroup[] };

/** Parts the documents of a segment: those that are searched for the query as it is, and for its translation. */
export function parted({ latin, forward: { count } }: Segment, translated: TranslatedQuery): Parted[] {
  if (translated.size === 0) return [{ from: 0, to: count, groups: [] }];
  const parts = [
    { from: 0, to: latin, groups: translated.get("arabic") ?? [] },
    { from: latin, to: count, groups: translated.get("latin") ?? [] },
  ];
  return parts.filter(({ from, to }) => from < to);
}
