import { unitToCodePoint } from "../../../text/characters.ts";
import { displayName } from "../../../text/names.ts";
import { type TextToken, tokenSentences } from "../../../text/sentences.ts";
import { expressionFinder, withExpressions } from "./expressions.ts";
import { foldToken, procliticOf, unitsOf } from "./find-entities.ts";
import { knownElsewhere } from "./known-elsewhere.ts";
import {
  type NestedHeads,
  type NestedSpan,
  type SentenceScores,
  type TagModel,
  tagSentence,
  type TagSpan,
  type WordRanks,
} from "./spans.ts";

/**
 * An entity that may hold others and lie in others. `level` 0 lies in none; offsets are code points of the text as
 * given, end exclusive; `name` is how it is shown, `confidence` a probability.
 */
export type NestedEntity = {
  type: string;
  text: string;
  name: string;
  start: number;
  end: number;
  level: number;
  confidence: number;
};

/** A sentence of a text with the entities found in it. */
export type NestedSentence = { tokens: readonly TextToken[]; spans: readonly NestedSpan[] };

const HASHTAG = /^#./;

/** The article before a number or a word in other letters (الـ16), which is no name without it. */
const ARTICLE_ALONE = /^[وف]?(?:[بك]?ا|ل)ل\u0640+$/u;

/** Letters with which no word begins. */
const INNER = /^[ؤئءىة]/;

/** Holds what a word may begin with that belongs to no name: conjunctions, prepositions, and in dialect هـ, عـ, مـ. */
const PROCLITIC = /^(?:[وف][بلكع]?|[بلكسعهم])$/;

/**
 * Returns the entities of a text in order, an outer one before those in it. Conjunctions and prepositions written onto
 * the first word are left out, as is the sign of a hashtag; where the article has lost its alef after ل, the name gets
 * it back and the text does not.
 */
export function nestedEntities(text: string, sentences: readonly NestedSentence[], rank: WordRanks): NestedEntity[] {
  const toCodePoint = unitToCodePoint(text);
  const entities: NestedEntity[] = [];
  for (const { tokens, spans } of sentences) {
    const open: number[] = [];
    for (const { type, start, end, probability, cut } of spans) {
      const first = tokens[start];
      const last = tokens[end - 1];
      if (first === undefined || last === undefined) continue;
      if (first === last && ARTICLE_ALONE.test(first.text)) continue;
      while (open.length > 0 && (open.at(-1) ?? 0) <= start) open.pop();
      const sign = HASHTAG.test(first.text) ? 1 : 0;
      const word = first.text.slice(sign);
      const letters = lettersBefore(word, cut, rank) || lettersBeforeArticle(word, rank);
      const from = first.start + sign + unitsOf(word, letters);
      const shown = text.slice(from, last.end);
      const before = foldToken(word).slice(0, letters);
      const name = displayName(articleBack(before, shown, rank), type === "PERS" ? "PER" : type);
      entities.push({
        ...{ type, text: shown, name, start: toCodePoint(from), end: toCodePoint(last.end) },
        ...{ level: open.length, confidence: probability },
      });
      open.push(end);
    }
  }
  return entities;
}

/**
 * Counts how many letters of a word are no part of the entity: `cut`, where they can be proclitics and leave a word; a
 * word that is not known without its ب, ل, ك or ف begins with that letter.
 */
function lettersBefore(word: string, cut: number, rank: WordRanks): number {
  const folded = foldToken(word);
  const rest = folded.slice(cut);
  const before = folded.slice(0, cut);
  if (rest.length < 2 || !PROCLITIC.test(before) || INNER.test(word.slice(unitsOf(word, cut)))) return 0;
  const isWord = rank.has(rest) || rank.has(`ا${rest}`);
  if (/[بلك]$/.test(before) && beginsWithAnd(rest, rank)) return 0;
  // فالنسيا is no ف and النسيا
  const isKnown = isWord || (/^(?:ال|\P{L})/u.test(rest) && !rank.has(folded));
  // ف is rarely written onto a name: فيرجل
  if (before === "ف" && !(rank.has(folded) ? procliticOf(folded, rank) !== undefined : isKnown)) return 0;
  if (isKnown || !/[بلك]$/.test(before)) return rank.has(folded) && !isKnown ? 0 : cut;
  return 0;
}

/** Says how much more frequent the word behind "and" is: واحد is no و and أحد. */
const MORE_FREQUENT = 8;

/** Tells whether a word is "and" and a far more frequent one, before which no preposition stands: وروسيا of بوروسيا. */
function beginsWithAnd(word: string, rank: WordRanks): boolean {
  const second = word.startsWith("و") ? rank.get(word.slice(1)) : undefined;
  return second !== undefined && second * MORE_FREQUENT < (rank.get(word) ?? Number.POSITIVE_INFINITY);
}

/** A preposition, and what stands before it, on a word with the article: no name begins so that is known without it. */
const ON_ARTICLE = /^[وف]?(?:[بك]ال|لل)/u;

/** Counts how many letters stand before the article of a word that is known, and more frequent, without them. */
function lettersBeforeArticle(word: string, rank: WordRanks): number {
  const folded = foldToken(word);
  const proclitic = ON_ARTICLE.test(folded) ? procliticOf(folded, rank) : undefined;
  // بالي is no ب and إلى
  return proclitic !== undefined && /^ال.{3}/u.test(proclitic.rest) ? proclitic.letters : 0;
}

/** Returns the name with the alef of its article, which is not written after ل, unless the word is known without it. */
function articleBack(before: string, shown: string, rank: WordRanks): string {
  if (!before.endsWith("ل") || !shown.startsWith("ل")) return shown;
  const word = foldToken(/^\S+/.exec(shown)?.[0] ?? "");
  return rank.has(`ا${word}`) || !rank.has(word) ? `ا${shown}` : shown;
}

/** Scores of all outputs for one sentence: `length` rows of `stride` numbers, from `offset` on. */
type OutputScores = SentenceScores;

/**
 * Returns the entities of a sentence, those that hold others first. Each type is decoded by itself, so that entities
 * nest; of two that cross, or have the same words, the likelier one stays.
 */
export function nestedSpans(heads: NestedHeads, outputs: OutputScores): NestedSpan[] {
  const candidates = heads.types.flatMap((head) => {
    const place = { ...outputs, offset: outputs.offset + head.first };
    return mayBegin(place) ? tagSentence(head, place).spans : [];
  });
  const kept: TagSpan[] = [];
  for (const span of candidates.sort((a, b) => b.probability - a.probability)) {
    if (kept.every((other) => areNested(span, other))) kept.push(span);
  }
  return kept
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((span) => ({ ...span, cut: cutOf(heads, outputs, span.start) }));
}

/** Tells whether any word is likelier to begin an entity of the type than not. */
function mayBegin({ scores, offset, stride, length }: SentenceScores): boolean {
  for (let row = 0; row < length; row++) {
    const from = offset + row * stride;
    if ((scores[from + 1] ?? 0) > (scores[from] ?? 0)) return true;
  }
  return false;
}

/** Tells whether two spans are apart, or one holds the other and more. */
function areNested(a: TagSpan, b: TagSpan): boolean {
  if (a.end <= b.start || b.end <= a.start) return true;
  if (a.start === b.start && a.end === b.end) return false;
  return (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
}

function cutOf({ cuts }: NestedHeads, { scores, offset, stride }: OutputScores, token: number): number {
  const from = offset + token * stride + cuts.first;
  let best = 0;
  for (let cut = 1; cut < cuts.count; cut++) if ((scores[from + cut] ?? 0) > (scores[from + best] ?? 0)) best = cut;
  return best;
}

/** UTF-16 units of a word that the rules read. */
const READ = 64;

/** The words and marks of a text, and its entities; offsets in code points of the text as given, end exclusive. */
export type NestedText = { tokens: TextToken[]; entities: NestedEntity[] };

/** Reads a text sentence by sentence, each in the light of those beside it. */
export async function nestedText(
  model: Pick<TagModel, "nested" | "rank">,
  text: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<NestedText> {
  const sentences = tokenSentences(text);
  const nestedSpans = await model.nested(
    sentences.map((tokens) => tokens.map((token) => token.text)),
    { ...(signal !== undefined && { signal }) },
  );
  const spans = knownElsewhere(
    sentences.map((tokens, i) => ({
      words: tokens.map((token) => foldToken(token.text.slice(0, READ))),
      spans: withAmounts(nestedSpans[i] ?? [], tokens),
    })),
    model.rank,
  );
  const toCodePoint = unitToCodePoint(text);
  return {
    tokens: sentences
      .flat()
      .map((token) => ({ text: token.text, start: toCodePoint(token.start), end: toCodePoint(token.end) })),
    entities: nestedEntities(
      text,
      sentences.map((tokens, i) => ({ tokens, spans: spans[i] ?? [] })),
      model.rank,
    ),
  };
}

/** Returns the entities of a sentence with those that rules find. */
export function withAmounts(spans: readonly NestedSpan[], tokens: readonly TextToken[]): NestedSpan[] {
  const texts = tokens.map((token) => token.text.slice(0, READ));
  return withExpressions(plausibleSpans(spans, texts), texts.map(foldToken), expressionFinder());
}

/** Names of languages without article, folded. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "عربيه فصحي عاميه انجليزيه انكليزيه فرنسيه المانيه اسبانيه ايطاليه روسيه تركيه فارسيه عبريه كرديه سورانيه كرمانجيه صينيه مندرينيه " +
    "يابانيه كوريه هنديه اورديه اردو بشتو بشتونيه دريه بنغاليه برتغاليه هولنديه سويديه نرويجيه دنماركيه فنلنديه يونانيه لاتينيه ارمنيه " +
    "اذريه اوزبكيه كازاخيه تركمانيه طاجيكيه اوكرانيه بولنديه تشيكيه سلوفاكيه مجريه رومانيه بلغاريه صربيه كرواتيه البانيه بوسنيه مقدونيه " +
    "جورجيه امازيغيه تمازيغت قبائليه نوبيه امهريه تغرينيه صوماليه سواحيليه هوسا يوروبا زولو افريكانيه ملايو ماليزيه اندونيسيه فيتناميه " +
    "تايلنديه فلبينيه تاغالوغ تاميليه بنجابيه نيباليه سنسكريتيه سريانيه اراميه اشوريه كلدانيه قبطيه كتالونيه كاتالونيه باسكيه ايرلنديه " +
    "غاليه ويلزيه اسكتلنديه مالطيه اسبرانتو شاميه مصريه خليجيه مغاربيه دارجه حسانيه مهريه عثمانيه اويغوريه شيشانيه روهينغيه"
  ).split(" "),
);

/** Words before the name of a language, without clitics, folded. */
const LANGUAGE_WORD = /^(?:[وف]?[بلك]?(?:ال|ل)?)(?:لغ(?:ه|ات|تين|تان)|لهج(?:ه|ات|تين)|ناطق(?:ه|ين|ون)?|ترجمه|نسخه)$/u;

const ARTICLE = /^[وف]?(?:[بك]?ال|لل)/u;
const BEFORE_LANGUAGE = /^(?:[وف]?(?:[بك]?ال|لل?|[بل])?)/u;

/** Tells whether a word names a language where it stands: not the Arab community (الجالية العربية). */
function isLanguage(
  words: readonly string[],
  { start, end }: NestedSpan,
  isNamed: (place: number) => boolean,
): boolean {
  const word = words[start] ?? "";
  const isKnown =
    end - start > 1 ||
    LANGUAGES.has(word.replace(BEFORE_LANGUAGE, "")) ||
    LANGUAGES.has(word.replace(ARTICLE, "")) ||
    !/ي[هن]?$/u.test(word);
  const before = words[start - 1] ?? "";
  const isAdjective =
    ARTICLE.test(before) && !PREPOSITION.test(before) && !LANGUAGE_WORD.test(before) && !isNamed(start - 1);
  return isKnown && !(isAdjective && /^ال/u.test(word));
}

/** Words that end the name of a person: what he is called besides, what he says and does, a relative clause. */
const NAME_ENDS =
  /^(?:الملقبه?|المعروفه?|المكن[يا]ه?|المدعوه?|المسماه?|الشهيره?|[وف]?(?:ي?قال|قالت|يقول|تقول|اكد|اكدت|اعلن|اعلنت|اضاف|اضافت|صرح|صرحت|اوضح|اوضحت)|[وف]?(?:ان|انه|انها|انهم)|الذي|التي|الذين)$/u;

/** Returns where a name of a person ends at the latest: before a word that is no part of one. */
function endOfName(words: readonly string[], { start, end }: NestedSpan): number {
  for (let place = start + 1; place < end; place++) if (NAME_ENDS.test(words[place] ?? "")) return place;
  return end;
}

/** Particle that is joined to the next word and ends no name: لـCNN. */
const NO_END = /^ل$/u;

/** Returns where a span ends without particles behind it that belong to the next word. */
function endOfWords(words: readonly string[], { start, end }: NestedSpan): number {
  let last = end;
  while (last - start > 1 && NO_END.test(words[last - 1] ?? "")) last--;
  return last;
}

/** Prepositions that stand by themselves, and adverbs of place: no other is joined to the word behind. */
const PREPOSITION =
  /^[وف]?(?:في|من|الي|علي|عن|قرب|عبر|حتي|بين|نحو|داخل|خارج|قباله|شرق|غرب|شمال|جنوب|شرقي|غربي|شمالي|جنوبي|وسط|ضد|لدي|عند|مع|باتجاه)$/u;

/**
 * Returns the spans of a sentence as far as they can be what they are said to be: languages are languages, the name of
 * a person ends before what he is called besides, and no preposition is cut from a word behind one (في بيونغ يانغ).
 */
export function plausibleSpans(spans: readonly NestedSpan[], texts: readonly string[]): NestedSpan[] {
  const words = texts.map(foldToken);
  const isNamed = (place: number): boolean =>
    spans.some(({ type, start, end }) => type === "LANGUAGE" && start <= place && place < end);
  return withoutLooseWords(spans, texts).flatMap((span) => {
    if (span.type === "LANGUAGE" && !isLanguage(words, span, isNamed)) return [];
    const end = endOfWords(words, { ...span, end: span.type === "PERS" ? endOfName(words, span) : span.end });
    const isBehind = span.cut > 0 && PREPOSITION.test(words[span.start - 1] ?? "");
    const cut = isBehind && /^[بلك]/u.test(words[span.start] ?? "") ? 0 : span.cut;
    return [{ ...span, end, cut }];
  });
}

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
