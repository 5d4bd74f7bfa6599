import { at } from "../../std/mod.ts";
import type { SourceSentence } from "../citations.ts";
import { type AskedFor, askedFor } from "../question.ts";
import {
  analyse,
  normalForm,
  opensAlike,
  romanised,
  sharedDictionary,
  soundDistance,
  soundKey,
  type WordTerms,
} from "../../text/mod.ts";

/** A word of a text, with what it is compared by. */
type Word = {
  /** As it is written. */
  text: string;
  form: string;
  /** Stems and lemmas. */
  terms: readonly string[];
  /** Holds what it is looked up by in a dictionary. */
  entry: WordTerms;
  isStop: boolean;
  isArabic: boolean;
  isCapital: boolean;
};

export const ARABIC = /\p{Script=Arabic}/u;
const CAPITAL = /^\p{Lu}/u;
const NUMBER = /^\p{Nd}/u;

/** Returns the words of a text; the first one does not count as written with a capital. */
export function wordsIn(text: string): Word[] {
  return analyse(text).map(({ text: written, terms }, place) => ({
    text: written,
    form: normalForm(written),
    terms: [...terms.stems, ...terms.lemmas],
    entry: terms,
    isStop: terms.stop,
    isArabic: ARABIC.test(written),
    isCapital: place > 0 && CAPITAL.test(written),
  }));
}

const forms = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(normalForm));

/** Words that ask, and say nothing about what for. */
const ASKING = forms(`
  name names called many much long old kind type say said tell told according
  اسم أسماء اسمه اسمها عدد يبلغ بلغ بلغت تبلغ مقدار نوع يسمى تسمى قال قالت ذكر أي أية بأي لأي لمن بمن ومن
  أمسى أمست حصل حصلت يحصل تحصل جرت مازال مازالت ليس ليست
`);

const LEXEME = /^#/;

const VERBS_OF_BEING = `
  become became becoming remain remained happen happened occur occurred reach reached get got
  أصبح صار بات يظل أضحى يمسي يزال يصل يبلغ حدث جرى
`;
let termsOfBeing: ReadonlySet<string> | undefined;

/**
 * Returns the terms of verbs that only say that something is so, or came to be: an answer may have any other. Of Arabic
 * these are the lexemes, as its stems are those of other words, too. They are read at the first question: the lexicon
 * behind them takes 9 MB in every service that could be asked one.
 */
function ofBeing(): ReadonlySet<string> {
  termsOfBeing ??= new Set(
    wordsIn(VERBS_OF_BEING).flatMap(({ terms, isArabic }) =>
      isArabic ? terms.filter((term) => LEXEME.test(term)) : terms,
    ),
  );
  return termsOfBeing;
}

const onlyAsks = ({ form, terms }: Word): boolean => ASKING.has(form) || terms.some((term) => ofBeing().has(term));

/** Words that say what kind of thing is asked for; an answer has the thing in their place. */
const OF_KIND = forms(`
  score share percentage percent proportion large big size time year date day amount figure number
  نسبة مدة حجم مقدار جنسية جنسيته
`);

/** Holds what a question is about: a word, or the words of a name, of which the last is enough. */
type Topic = { words: readonly Word[]; isName: boolean; isKind: boolean; isNumber: boolean };

/** Returns what a question is about, each once. */
export function topicsOf(words: readonly Word[]): Topic[] {
  const all = words.filter(({ isStop, terms }) => !isStop && terms.length > 0);
  const telling = all.filter((word) => !onlyAsks(word));
  const topics: (Topic & { words: Word[] })[] = [];
  const seen = new Set<string>();
  let last: Word | undefined;
  for (const word of telling.length > 0 ? telling : all) {
    const key = word.terms[0] ?? word.form;
    if (seen.has(key)) continue;
    seen.add(key);
    const before = topics.at(-1);
    const isNext = last !== undefined && words.indexOf(word) === words.indexOf(last) + 1;
    if (word.isCapital && before?.isName && isNext) before.words.push(word);
    else {
      const [isName, isKind, isNumber] = [word.isCapital, OF_KIND.has(word.form), NUMBER.test(word.form)];
      topics.push({ words: [word], isName, isKind, isNumber });
    }
    last = word;
  }
  return topics;
}

/** The words of a text, as others are looked for among them. */
type WordBag = { terms: ReadonlySet<string>; words: readonly Word[] };

/** Returns words as others are looked for among them. */
export function bagOf(words: readonly Word[]): WordBag {
  return { terms: new Set(words.flatMap(({ terms }) => terms)), words: words.filter(({ isStop }) => !isStop) };
}

/** Holds what a name counts of which the last word is missing. */
const FIRST_NAME = 0.6;

/** Tells how surely a text has a topic, by how sure each word is. */
export function surest({ words }: Topic, sureOf: (word: Word) => number): number {
  const values = words.map(sureOf);
  const last = values.at(-1) ?? 0;
  return last === 1 ? 1 : Math.max(last, ...values.slice(0, -1).map((value) => FIRST_NAME * value));
}

/** Farthest that two spellings of a name in two scripts sound apart. */
const MAX_SOUND_DISTANCE = 0.3;
/** Tells how sure a name is of which only the consonants are alike. */
const ALIKE_CONSONANTS = 0.8;
/** Tells how sure a word is of which a text has a translation, and how often it is that at least. */
const TRANSLATED = 0.8;
const MIN_TRANSLATION_SHARE = 0.05;
/** Letters of words that are compared by sound, and of the consonants, at least. */
const MIN_SOUND_LETTERS = 3;

/**
 * Tells how surely a text has a word, 0 to 1: by its stem or lemma, by a translation, or as a name of the other script
 * sounds.
 */
export function hasWord(word: Word, { terms, words }: WordBag): number {
  if (word.terms.some((term) => terms.has(term))) return 1;
  const others = words.filter(({ isArabic, form }) => isArabic !== word.isArabic && form.length >= MIN_SOUND_LETTERS);
  if (others.length === 0) return 0;
  const translations = sharedDictionary().translationsOf(word.entry);
  const isTranslated = translations.some(({ stem, share }) => share >= MIN_TRANSLATION_SHARE && terms.has(stem));
  if (word.form.length < MIN_SOUND_LETTERS) return isTranslated ? TRANSLATED : 0;
  const [spoken, key] = [romanised(word.form), soundKey(word.form)];
  return others.reduce(
    (best, other) => {
      const heard = romanised(other.form);
      if (best === 1 || !opensAlike(spoken, heard)) return best;
      const distance = soundDistance(spoken, heard, MAX_SOUND_DISTANCE);
      if (distance <= MAX_SOUND_DISTANCE) return Math.max(best, 1 - distance);
      return key.length >= MIN_SOUND_LETTERS && key === soundKey(other.form) ? Math.max(best, ALIKE_CONSONANTS) : best;
    },
    isTranslated ? TRANSLATED : 0,
  );
}

/** A question, as sentences are held against it. */
export type ReadQuestion = {
  text: string;
  kind: AskedFor;
  topics: readonly Topic[];
  stems: ReadonlySet<string>;
  isArabic: boolean;
};

/** Returns what a question asks for and is about. */
export function readQuestion(text: string): ReadQuestion {
  const words = wordsIn(text);
  return {
    text,
    kind: askedFor(text),
    topics: topicsOf(words),
    stems: new Set(words.flatMap(({ terms }) => terms)),
    isArabic: ARABIC.test(text),
  };
}

/** A sentence with its words, and how surely it has each topic of the question. */
export type ReadSentence = SourceSentence & { words: readonly Word[]; bag: WordBag; has: readonly number[] };

/** Returns a sentence with what of a question it has. */
export function readSentence(sentence: SourceSentence, { topics }: ReadQuestion): ReadSentence {
  const words = wordsIn(sentence.text);
  const bag = bagOf(words);
  return { ...sentence, words, bag, has: topics.map((topic) => surest(topic, (word) => hasWord(word, bag))) };
}

/** Holds what stands around a sentence, for each topic: the most that it, its headline and the one before it have. */
export type Context = {
  around: readonly number[];
  /** The most that any sentence of the article has. */
  article: readonly number[];
  /** Says that it is the first sentence of the article's text. */
  isLead: boolean;
};

/**
 * Returns what stands around each sentence, in their order: a source's sentences one after the other. The year in which
 * an article was published stands around all of them.
 */
export function contextsOf(sentences: readonly ReadSentence[], topics: readonly Topic[]): Context[] {
  const none = topics.map(() => 0);
  const years = new Map<number, readonly number[]>();
  for (const { source } of sentences) {
    const year = source.published?.slice(0, 4);
    if (!years.has(source.n))
      years.set(
        source.n,
        topics.map(({ words }) => (words[0]?.form === year ? 1 : 0)),
      );
  }
  const most = (a: readonly number[], b: readonly number[]) => a.map((value, i) => Math.max(value, at(b, i)));
  const articles = new Map<number, readonly number[]>();
  const headlines = new Map<number, readonly number[]>();
  for (const { source, offsets, has } of sentences) {
    articles.set(source.n, most(articles.get(source.n) ?? none, has));
    if (offsets === null) headlines.set(source.n, has);
  }
  return sentences.map(({ source, has }, i) => {
    const before = sentences[i - 1];
    const isNext = before !== undefined && before.source.n === source.n && before.offsets !== null;
    const isLead = before !== undefined && before.source.n === source.n && before.offsets === null;
    const above = most(headlines.get(source.n) ?? none, years.get(source.n) ?? none);
    return {
      around: most(most(has, above), isNext ? before.has : none),
      article: most(articles.get(source.n) ?? none, above),
      isLead,
    };
  });
}

/** Returns what each topic weighs: the more, the fewer sentences have it. */
export function weightsOf(sentences: readonly ReadSentence[], topics: number): number[] {
  return Array.from({ length: topics }, (_, topic) => {
    const count = sentences.filter(({ has }) => at(has, topic) === 1).length;
    return Math.log(1 + sentences.length / (1 + count));
  });
}

/** Tells how near two meanings are, from -1 to 1. Vectors have length 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
