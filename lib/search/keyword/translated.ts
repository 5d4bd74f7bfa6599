import { at } from "../../std/index.ts";
import { soundKey, wordTerms } from "../../text/index.ts";
import type { Dictionary } from "../translate/dictionary.ts";
import { sharedDictionary } from "../translate/load.ts";
import { bestNames } from "../translate/names.ts";
import { type Script, type Translation, translate } from "../translate/translate.ts";
import { frequencyTable, inverseFrequency } from "./bm25.ts";
import type { TermGroup } from "./groups.ts";
import type { Numbers, TermNumbers } from "./numbers.ts";
import type { Projection } from "./projection.ts";
import type { Segment } from "./segment.ts";

/** The groups of terms that documents in each script are searched for, beside the query's own words. */
export type TranslatedQuery = ReadonlyMap<Script, readonly TranslatedGroup[]>;

/** A term of the index that a word of the query may be, with its text. */
type Option = { term: number; share: number; text: string };

type TranslatedGroup = TermGroup & { words: readonly Option[] };

/** What a word of like sound is worth where the dictionary has the one asked for, and again where it has that word. */
const NAME = 0.3;
const ORDINARY = 0.3;

const FROM: Readonly<Record<Script, Script>> = { arabic: "latin", latin: "arabic" };

type Fields = { title: number; content: number };

/** What was translated last: a search by words and one by meaning ask for the same, one right after the other. */
const latest = new WeakMap<Projection, { asked: string; translated: TranslatedQuery }>();

/** A query in the language that it is not written in, for the documents in that one; empty where there are none. */
export function translatedQuery(
  text: string,
  projection: Projection,
  numbers: TermNumbers,
  fields: Fields,
): TranslatedQuery {
  if (!canHear(numbers)) return new Map();
  const asked = `${projection.changes} ${fields.title} ${fields.content} ${text}`;
  const known = latest.get(projection);
  if (known?.asked === asked) return known.translated;
  const translated = translateFor(text, projection, numbers, fields);
  latest.set(projection, { asked, translated });
  return translated;
}

function translateFor(
  text: string,
  projection: Projection,
  numbers: HearingNumbers,
  { title, content }: Fields,
): TranslatedQuery {
  const translated = new Map<Script, readonly TranslatedGroup[]>();
  const documents = documentsIn(projection);
  for (const to of ["arabic", "latin"] as const) {
    if (documents[to] <= 0) continue;
    const dictionary = sharedDictionary();
    const frequencies = frequencyTable(title, content);
    const groups = translate(text, FROM[to], dictionary).flatMap((translation) => {
      const options = optionsIn(translation, { projection, numbers, dictionary }, to);
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

type HearingNumbers = Pick<Numbers, "form" | "term" | "bySound">;

function canHear(numbers: TermNumbers): numbers is HearingNumbers {
  return numbers.bySound !== undefined;
}

/** The terms of the index that a word may be: what the dictionary says, and words that sound like it. */
function optionsIn(
  { options, name }: Translation,
  { projection, numbers, dictionary }: { projection: Projection; numbers: HearingNumbers; dictionary: Dictionary },
  to: Script,
): Option[] {
  const { documents, vocabulary } = projection;
  const found = new Map<number, Option>();
  const add = (term: number, share: number, text: string) => {
    if (term === 0 || (documents[term] ?? 0) === 0) return;
    found.set(term, { term, text, share: share + (found.get(term)?.share ?? 0) });
  };
  for (const { stem, share } of options) add(numbers.term(stem), share, stem);
  const key = name === undefined ? "" : soundKey(name);
  if (name === undefined || key === "") return [...found.values()];
  const alike = numbers.bySound(key, vocabulary.forms).flatMap(({ form, number, script, sound }) => {
    const term = vocabulary.stems[number] ?? 0;
    const holding = documents[term] ?? 0;
    return holding > 0 && script === to ? [{ form, sound, term, holding }] : [];
  });
  for (const { form, term, share } of bestNames(name, alike)) {
    const ordinary = dictionary.options(wordTerms(form).stems[0] ?? "").length > 0;
    add(term, share * (options.length === 0 ? 1 : NAME * (ordinary ? ORDINARY : 1)), form);
  }
  return [...found.values()];
}

/** Translations of a word that are said of it. */
const SAID = 2;

/** A translated query as text: the likeliest translations of each word, in all languages. */
export function asText(translated: TranslatedQuery): string {
  return [...translated.values()]
    .flat()
    .flatMap(({ words }) => words.toSorted((a, b) => b.share - a.share).slice(0, SAID))
    .map(({ text }) => text)
    .join(" ");
}

/** The documents of a segment that are searched for the query as it is, and those that are for its translation. */
export function parted(
  segment: Segment,
  allowed: Uint8Array | undefined,
  translated: TranslatedQuery,
): { own: Uint8Array | undefined; others: { mask: Uint8Array; groups: readonly TermGroup[] }[] } {
  const others = Array.from(translated, ([script, groups]) => ({ script, groups })).filter(
    ({ script }) => (script === "arabic" ? segment.inArabic : segment.size - segment.inArabic) > 0,
  );
  if (others.length === 0) return { own: allowed, others: [] };
  const own = allowed === undefined ? Uint8Array.from(segment.live) : Uint8Array.from(allowed);
  return {
    own,
    others: others.map(({ script, groups }) => {
      const wanted = script === "arabic" ? 1 : 0;
      const mask = new Uint8Array(own.length);
      for (let doc = 0; doc < mask.length; doc++) {
        if (own[doc] === 0 || segment.arabic[doc] !== wanted) continue;
        mask[doc] = 1;
        own[doc] = 0;
      }
      return { mask, groups };
    }),
  };
}
