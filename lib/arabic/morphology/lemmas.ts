import { createSlicer } from "../../std/mod.ts";
import { lemmaMatch } from "../senses/inventory.ts";
import type { Features, Lemma, Lexicon } from "./lexicon.ts";
import type { WordRules } from "./rules.ts";
import { bareForm, hasMarks, lettersOf, vowelled } from "./written-forms.ts";

/** Holds what lemmas are searched by: all that are given must hold. */
export type LemmaQuestion = {
  root?: string | undefined;
  lemma?: string | undefined;
  en?: string | undefined;
  offset: number;
  limit: number;
};

/** Lemmas of a search, the best first, and how many there are in all. */
type LemmaPage = { lemmas: Lemma[]; total: number };

/** Numbers of lemmas by their letters, their roots, and the words of their English glosses. */
type Tables = Record<"letters" | "roots" | "words", Map<string, number[]>>;

/** Makes what searches the lemmas of a lexicon. Its tables are made at the first search, between turns of others. */
export function createLemmaSearch(
  lexicon: Pick<Lexicon, "lemma" | "size">,
): (question: LemmaQuestion, signal?: AbortSignal) => Promise<LemmaPage> {
  let tables: Promise<Tables> | undefined;
  return async ({ root, lemma, en, offset, limit }, signal) => {
    tables ??= tablesOf(lexicon);
    const { letters, roots, words } = await tables;
    signal?.throwIfAborted();
    const english = wordsOf(en ?? "");
    const lists = [
      ...(root === undefined ? [] : [roots.get(rootKey(root)) ?? []]),
      ...(lemma === undefined ? [] : [letters.get(bareForm(lemma)) ?? []]),
      ...english.map((word) => words.get(word) ?? []),
    ].sort((a, b) => a.length - b.length);
    const [shortest = [], ...others] = lists.map((list) => new Set(list));
    const hits = [...shortest]
      .filter((id) => others.every((list) => list.has(id)))
      .map((id) => lexicon.lemma(id))
      .filter(({ form }) => lemma === undefined || !hasMarks(lemma) || lemmaMatch(lemma, vowelled(form)).vowels)
      .map((each) => ({ each, place: placeOf(each, english) }))
      .sort((a, b) => a.place - b.place || a.each.cost - b.each.cost || a.each.id - b.each.id);
    return { lemmas: hits.slice(offset, offset + limit).map(({ each }) => each), total: hits.length };
  };
}

/** Entries of an index between two looks at the clock. */
const STEP = 256;

async function tablesOf(lexicon: Pick<Lexicon, "lemma" | "size">): Promise<Tables> {
  const tables: Tables = { letters: new Map(), roots: new Map(), words: new Map() };
  const due = createSlicer();
  for (let id = 0; id < lexicon.size; id++) {
    if (id % STEP === 0) await due();
    const { form, root, gloss } = lexicon.lemma(id);
    if (form === "") continue;
    add(tables.letters, bareForm(lettersOf(form)), id);
    if (root !== "") add(tables.roots, root, id);
    for (const word of wordsOf(gloss)) add(tables.words, word, id);
  }
  return tables;
}

function add(table: Map<string, number[]>, key: string, id: number): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [id]);
  else list.push(id);
}

/** Returns the words of an English text, each once. */
function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z]+/g))];
}

/** Returns a root as the lexicon has it: its letters alone, every hamza the same. */
export function rootKey(root: string): string {
  return root
    .normalize("NFC")
    .replace(/[أإآؤئ]/gu, "ء")
    .replace(/[^\u0621-\u064a]/gu, "");
}

/** Says how near a lemma is to English words: those that mean just that before others, the first meaning first. */
function placeOf({ gloss }: Lemma, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const meanings = gloss.split(/[;|]/).map((meaning) => wordsOf(meaning).join(" "));
  const place = meanings.indexOf(words.join(" "));
  return place < 0 ? meanings.length + 1 : place;
}

/**
 * Holds what can stand behind stems without clitics, in normal form: feminine, weak and broken endings, sound plurals.
 */
const ENDINGS = ["", "ه", "ي", "ا", "و", "ء", "ون", "ات", "يات", "وات", "يون"];

/** Holds what stands before the forms that are listed: nothing, or the prefix of the third person. */
const PREFIXES = ["", "ي"];

/** The forms that a dictionary would list: of nouns, and of verbs the third person of perfect and imperfect. */
const LISTED: readonly Features[] = [
  { stt: "d", form_num: "s" },
  { stt: "d", form_num: "p" },
  { asp: "p", per: "3", gen: "m", num: "s" },
  { asp: "i", per: "3", gen: "m", num: "s", mod: "i" },
];

/** Case and mood, which forms in a list do not have. */
const LAST_VOWEL = /[\u064b-\u0650]$/u;

/** Holds what stands around a stem, in Buckwalter's transliteration. */
type Frame = { before: string; behind: string };

/**
 * Makes a function that tells the forms of a lemma with their vowels, without case, mood and clitics: singular,
 * feminine, broken and sound plurals; of a verb perfect and imperfect, passive as well. A word that is not inflected
 * has its stems.
 */
export function createLemmaForms(lexicon: Lexicon, rules: WordRules): (lemma: Lemma) => string[] {
  const known = new Map<number, Frame[]>();

  function framesOf(signature: number): Frame[] {
    const frames = known.get(signature) ?? listedFrames(signature, rules);
    known.set(signature, frames);
    return frames;
  }

  return (lemma) => {
    const stems = lexicon.stemsOf(lemma);
    const forms = stems.flatMap(({ form, signature }) =>
      framesOf(signature).map(({ before, behind }) => vowelled(before + form + behind).replace(LAST_VOWEL, "")),
    );
    return [...new Set(forms.length > 0 ? forms : stems.map(({ form }) => vowelled(form)))];
  };
}

function listedFrames(signature: number, rules: WordRules): Frame[] {
  const { features } = rules.signature(signature);
  const frames = ENDINGS.flatMap((letters) =>
    rules.endings(signature, letters).flatMap((ending) =>
      PREFIXES.flatMap((before) => rules.prefixes(ending.sequence, before))
        .filter((prefix) => isListed({ ...prefix.features, ...features, ...ending.features }))
        .filter((prefix) => rules.agree(prefix, signature, ending))
        .map(({ form }) => ({ before: form, behind: ending.form })),
    ),
  );
  return [...new Map(frames.map((frame) => [`${frame.before} ${frame.behind}`, frame])).values()];
}

function isListed({ cas = "n", ...features }: Features): boolean {
  const hasClitic = ["enc0", "prc0", "prc1", "prc2", "prc3"].some((name) => (features[name] ?? "0") !== "0");
  if (hasClitic || !/^[nu]$/.test(cas)) return false;
  return LISTED.some((listed) => Object.entries(listed).every(([name, value]) => features[name] === value));
}
