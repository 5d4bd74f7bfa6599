import type { SenseEntry } from "../../contract/mod.ts";
import type { Embedder, OptionalModel } from "../../models/mod.ts";
import { at, createSlicer } from "../../std/mod.ts";
import { attempt, PartUnavailable } from "../attempt.ts";
import type { MorphToken } from "../morphology/answer.ts";
import { bareForm, plainSpelling, withoutMarks } from "../morphology/written-forms.ts";
import { type Ambiguous, createSenseChooser, type SenseChooser, signsAround } from "./choose.ts";
import { type Inventory, lemmaMatch, openRareSenses } from "./inventory.ts";
import type { SenseModelParts } from "./sense-vectors.ts";

/** A token with the sense that it has in its sentence; undefined for one that the inventory does not have. */
type SenseToken = { token: string; start: number; end: number; lemma: string; sense: SenseEntry | undefined };

/** Words on each side that a sense is chosen by. */
const WINDOW = 6;

/** Words of the longest expression. */
const MAX_EXPRESSION_WORDS = 6;

/** A word or an expression with its possible senses, the most frequent first: tokens `from` to `to`, exclusive. */
type WordWithSenses = { from: number; to: number; senses: readonly SenseEntry[] };

/** Returns the words and expressions of a text that the inventory has. */
export function wordsWithSenses(tokens: readonly MorphToken[], inventory: Inventory): WordWithSenses[] {
  return [...findWords(tokens, inventory)].filter(({ senses }) => senses.length > 0);
}

/** Returns the words and expressions of a text, each when it is asked for. */
function* findWords(tokens: readonly MorphToken[], inventory: Inventory): Generator<WordWithSenses> {
  const forms = tokens.slice(0, MAX_EXPRESSION_WORDS).map(formsOf);
  for (let place = 0; place < tokens.length; ) {
    const expression = inventory.expressionAt(forms);
    const word = at(tokens, place);
    const senses = expression?.senses ?? sensesOfJoined(word, inventory) ?? sensesOfWord(word, inventory);
    const to = place + (expression?.length ?? 1);
    yield { from: place, to, senses };
    forms.splice(0, to - place);
    forms.push(...tokens.slice(place + MAX_EXPRESSION_WORDS, to + MAX_EXPRESSION_WORDS).map(formsOf));
    place = to;
  }
}

/**
 * Returns what a word can stand for in an expression: itself, without a conjunction, with its article or without its
 * proclitics, its lemma, them.
 */
function formsOf(word: MorphToken): string[] {
  const { token, lemma, stem } = word;
  const { clitics, rest, defined } = partsOf(word);
  const conjunction = /^[وف]$/u.test(clitics[0] ?? "") ? 1 : 0;
  const behind = bareForm(token).slice(conjunction);
  return [...new Set([token, lemma, stem ?? lemma, rest, defined, behind].map(bareForm)), ...clitics];
}

/** Returns the senses of an expression whose particle is joined to its word: مازال is ما زال. */
function sensesOfJoined({ proclitics, lemma }: MorphToken, inventory: Inventory): readonly SenseEntry[] | undefined {
  const particle = proclitics.find(({ type }) => type === "neg");
  if (particle === undefined) return undefined;
  return inventory.expressionAt([[bareForm(particle.form)], [bareForm(lemma)]])?.senses;
}

/** Returns a word's proclitics, what is left without them, and that with its article, in normal form. */
function partsOf({ token, proclitics }: MorphToken): { clitics: string[]; rest: string; defined: string } {
  const clitics = proclitics.map(({ form }) => bareForm(form));
  const rest = bareForm(token).slice(writtenLength(clitics));
  return { clitics, rest, defined: clitics.includes("ال") ? `ال${rest}` : rest };
}

/** Letters that proclitics take in writing: the article loses its first after ل. */
function writtenLength(clitics: readonly string[]): number {
  return clitics.join("").replace("لال", "لل").length;
}

/**
 * Returns the senses of a noun in the form in which it is written, where it has its own; else those of the lemma, or of
 * plurals and feminines that are words of their own, of the word as it is written. A name has only those that are names
 * in English, too (الخميس, إنترنت): nobody called سيف is a sword.
 */
function sensesOfWord(word: MorphToken, inventory: Inventory): readonly SenseEntry[] {
  const { pos_lexicon, gloss } = word;
  const senses = sensesOfForm(word, inventory) ?? sensesOfLemma(word, inventory);
  if (pos_lexicon !== "noun_prop" || gloss === null) return senses;
  const names = gloss
    .toLowerCase()
    .split(/[;|]/)
    .map((name) => name.trim());
  return senses.filter(({ en }) => en.some((each) => /^\p{Lu}/u.test(each) || names.includes(each.toLowerCase())));
}

function sensesOfForm(word: MorphToken, inventory: Inventory): readonly SenseEntry[] | undefined {
  if (word.pos === "VERB" || word.pos === "AUX") return undefined;
  const { rest, defined } = partsOf(word);
  return [bareForm(word.token), defined, rest].map(inventory.ofForm).find((senses) => senses !== undefined);
}

function sensesOfLemma(word: MorphToken, inventory: Inventory): readonly SenseEntry[] {
  const { token, lemma, stem, pos, proclitics } = word;
  const before = writtenLength(proclitics.map(({ form }) => bareForm(form)));
  const written = [withoutMarks(token).slice(before), token];
  // The feminine of an adjective is no noun that is written so: رأس مقطوعة is no piece of music.
  const isOfAdjective = pos === "ADJ" && endsInTa(word) && !endsInTa({ ...word, token: lemma });
  const forms = [
    ...[lemma, ...(isOfAdjective ? [] : written)],
    // What is left of a feminine without its ending is another word: fame (شهرة) is no month.
    ...(stem === null || bareForm(`${stem}ة`) === bareForm(lemma) ? [] : [stem]),
  ];
  // The lexicon has many a feminine noun under the masculine one: the mother (والدة) is not the father.
  const isFeminine = pos === "NOUN" && endsInTa(word) && !/ة\p{M}*$/u.test(lemma);
  const feminine = `${lemma}ة`;
  const own = isFeminine ? inventory.of(feminine, pos).filter((sense) => lemmaMatch(feminine, sense.lemma).vowels) : [];
  if (own.length > 0) return own;
  return forms.map((form) => inventory.of(form, pos)).find(({ length }) => length > 0) ?? [];
}

/** Tells whether a word is written with the feminine ending, which is ت before a pronoun. */
function endsInTa({ token, stem, enclitics }: MorphToken): boolean {
  if (/ة\p{M}*$/u.test(token)) return true;
  return enclitics.length > 0 && stem !== null && bareForm(token).includes(`${bareForm(stem)}ت`);
}

/** Returns the words and expressions of a text with the sentences they stand in, in the order of `found`. */
export function wordsInSentences(tokens: readonly MorphToken[], found: readonly WordWithSenses[]): Ambiguous[] {
  const sentences = Map.groupBy(tokens.keys(), (place) => at(tokens, place).sentence);
  const texts = new Map(
    [...sentences].map(([number, own]) => [number, own.map((place) => plainSpelling(at(tokens, place).token))]),
  );
  return found.map(({ from, to, senses }) => {
    const around = [...tokens.slice(Math.max(0, from - WINDOW), from), ...tokens.slice(to, to + WINDOW)];
    const { token, lemma, sentence } = at(tokens, from);
    return {
      sentence: texts.get(sentence) ?? [plainSpelling(token)],
      place: from - (sentences.get(sentence)?.[0] ?? from),
      context: around.map((each) => plainSpelling(each.token)).join(" ") || plainSpelling(token),
      ...{ lemma, senses, signs: signsAround(tokens, { from, to }) },
    };
  });
}

/**
 * Returns the sense of each token of a text that was read already. All tokens of an expression have its sense. Gives
 * the event loop its turn between words.
 */
export async function sensesOf(
  tokens: readonly MorphToken[],
  { inventory, chooser }: { inventory: Inventory; chooser: SenseChooser },
  signal?: AbortSignal,
): Promise<SenseToken[]> {
  const candidates: WordWithSenses[] = [];
  const due = createSlicer();
  for (const word of findWords(tokens, inventory)) {
    if (word.senses.length > 0) candidates.push(word);
    await due();
    signal?.throwIfAborted();
  }
  const several = candidates.filter(({ senses }) => senses.length > 1);
  const chosen = await chooser.choose(wordsInSentences(tokens, several), signal);
  const places = new Map(several.map(({ from }, place) => [from, place]));
  const found = new Map<number, SenseEntry>();
  for (const { from, to, senses } of candidates) {
    const own = places.get(from) ?? -1;
    for (let place = from; place < to; place++) found.set(place, own < 0 ? at(senses, 0) : at(chosen, own));
  }
  return tokens.map(({ token, start, end, lemma }, place) => ({ token, start, end, lemma, sense: found.get(place) }));
}

/** The senses and what chooses among them; each throws PartUnavailable where its files could not be opened. */
export type Senses = { inventory(): Inventory; chooser(): SenseChooser };

/** Returns the senses of an inventory, to be chosen by the models; `openRare` reads which of them are rare. */
export function openSenses(
  { embedder, senses }: { embedder: OptionalModel<Pick<Embedder, "embed">>; senses: OptionalModel<SenseModelParts> },
  inventory: () => Inventory,
  openRare = openRareSenses,
): Senses {
  const chooser = attempt(() => {
    if (embedder.model !== undefined && senses.model !== undefined) {
      return createSenseChooser({ embedder: embedder.model, ...senses.model, rare: openRare() });
    }
    const problem = embedder.problem ?? senses.problem;
    throw new PartUnavailable(problem?.message ?? "the model of senses was not loaded", { cause: problem });
  });
  return { inventory, chooser };
}
