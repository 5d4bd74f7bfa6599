import type { SourceSentence } from "../citations.ts";
import { type Answerer, type ChatMessage, type ChatPart, type Citation, NO_ANSWER, type Source } from "../tasks.ts";
import { type RankedSentence, rankSentences, type SentenceModels } from "./sentences.ts";
import { cosine } from "./reading.ts";

/** Number of sentences that an answer quotes, at most. */
const MAX_QUOTED_SENTENCES = 4;
/** Words of an answer to which no further sentence is added. */
const ENOUGH_WORDS = 90;
/** A further sentence is quoted when its score is at most this much below the best one's. */
const MAX_SCORE_GAP = 2.6;
/** A sentence this like a better one (a cosine) says the same again. */
const SAME_COSINE = 0.93;

/** Returns the sentences to quote, best first; none when nothing answers. No sentence is quoted twice. */
export function chooseSentences(ranked: readonly RankedSentence[], most = MAX_QUOTED_SENTENCES): RankedSentence[] {
  const [best] = ranked;
  if (best === undefined || best.support < 0) return [];
  const chosen: RankedSentence[] = [];
  let words = 0;
  for (const found of ranked) {
    if (chosen.length === most || found.score < best.score - MAX_SCORE_GAP) break;
    const isShown = chosen.some((better) => quotedOf(better).some(({ text }) => text === found.naming?.text));
    const sentence = isShown ? { ...found, naming: undefined } : found;
    const length = wordsOf(sentence.text).length;
    if (chosen.length > 0 && words + length > ENOUGH_WORDS) continue;
    if (chosen.some((better) => isSame(better, sentence) || better.naming?.text === sentence.text)) continue;
    chosen.push(sentence);
    words += length;
  }
  return chosen;
}

/** Returns what is quoted of an article for one sentence: it, behind the one that names what it speaks of. */
export function quotedOf(sentence: RankedSentence): SourceSentence[] {
  return sentence.naming === undefined ? [sentence] : [sentence.naming, sentence];
}

function isSame(a: RankedSentence, b: RankedSentence): boolean {
  return cosine(a.vector, b.vector) > SAME_COSINE || a.text.includes(b.text);
}

/** Holds what the built-in model says in its own words; all else in its answers is quoted. */
const PHRASES = {
  ar: {
    nothing: "لا يوجد في المقالات المتاحة ما يجيب عن هذا السؤال.",
    noMaterial:
      "يجيب النموذج المدمج باقتباس جمل من المقالات، ولا يوجد في هذه المحادثة نص يقتبس منه. فعّل grounded أو اضبط LLM_URL لنموذج يولّد النصوص.",
    greeting: "مرحبا! اسألني عمّا في الأخبار، وأجيبك بجمل من المقالات مع مصادرها.",
    thanks: "على الرحب والسعة.",
    assistant:
      "أنا «إسناد»: أجيب عن أسئلة الأخبار بالعربية والإنجليزية بجمل مقتبسة من المقالات المحفوظة، مع مصادرها، وأقول ذلك حين لا تجيب المقالات.",
  },
  en: {
    nothing: "Nothing in the available articles answers this question.",
    noMaterial:
      "The built-in model answers by quoting sentences of articles, and this conversation holds no text to quote. Turn `grounded` on, or set LLM_URL to a model that writes.",
    greeting: "Hello! Ask me about the news, and I answer with sentences of the articles, and their sources.",
    thanks: "You are welcome.",
    assistant:
      "I am Isnad: I answer questions about the news in Arabic and English with sentences quoted from the stored articles, with their sources, and say so when the articles do not answer.",
  },
} as const;

/**
 * Yields an answer of quoted sentences, each with its citation, at most `maxWords` words of it; `read` is how many
 * words it was made of. Citations are left out where `cite` is false.
 */
function* quote(
  chosen: readonly RankedSentence[],
  { maxWords, read, cite }: { maxWords: number; read: number; cite: boolean },
): Generator<ChatPart> {
  const citations: Citation[] = [];
  let words = 0;
  for (const [i, sentence] of chosen.entries()) {
    const { source } = sentence;
    const whole = quotedOf(sentence)
      .map((each) => each.text)
      .join(" ");
    // What names something is left out before the answer is cut.
    const fits = wordsOf(whole).length <= maxWords - words;
    const text = fits ? whole : sentence.text;
    const all = wordsOf(text);
    const shown = all.slice(0, maxWords - words);
    words += shown.length;
    if (shown.length > 0) {
      const isWhole = shown.length === all.length;
      const citation = cite ? ` [${source.n}]` : "";
      yield { kind: "text", text: `${i > 0 ? "\n\n" : ""}${isWhole ? text : `${shown.join(" ")}…`}${citation}` };
      const quoted = fits ? quotedOf(sentence).toReversed() : [sentence];
      if (cite) citations.push(...quoted.map((each) => ({ n: source.n, quote: each.text, offsets: each.offsets })));
    }
    if (words >= maxWords && (shown.length < all.length || i < chosen.length - 1)) {
      yield { kind: "end", finishReason: "length", usage: usage(read, words), citations };
      return;
    }
  }
  yield { kind: "end", finishReason: "stop", usage: usage(read, words), citations };
}

/** Yields what the model says in its own words, and why it ended. */
function* say(text: string, finishReason: string, read: number): Generator<ChatPart> {
  yield { kind: "text", text };
  yield { kind: "end", finishReason, usage: usage(read, wordsOf(text).length), citations: [] };
}

/** Returns the words of a text, parted by white space. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function usage(read: number, written: number) {
  return { prompt_tokens: read, completion_tokens: written, total_tokens: read + written };
}

/** The name that built-in answers and summaries carry. */
export const EXTRACTIVE_MODEL = "isnad-extractive";

/**
 * Returns the built-in model: its answers are the sentences that answer, quoted with their citations. Where nothing
 * does it says so. Without sources it quotes the texts of the conversation.
 */
export function extractiveAnswerer(models: SentenceModels): Answerer {
  return {
    provider: "builtin",
    model: EXTRACTIVE_MODEL,
    async *answer({ conversation, query, sources, smallTalk, lang, maxTokens, signal }) {
      const phrases = PHRASES[lang];
      if (smallTalk !== undefined) {
        yield* say(phrases[smallTalk], "stop", wordsOf(query).length);
        return;
      }
      const material = sources ?? textsOf(conversation);
      const ranked = await rankSentences(query, material, models, signal);
      const texts = material.flatMap(({ passages }) => passages.map(({ text }) => text));
      const read = [query, ...texts].reduce((sum, text) => sum + wordsOf(text).length, 0);
      const chosen = chooseSentences(ranked);
      if (chosen.length > 0) yield* quote(chosen, { maxWords: maxTokens, read, cite: sources !== undefined });
      else if (sources === undefined)
        yield* say(material.length === 0 ? phrases.noMaterial : phrases.nothing, "stop", read);
      else yield* say(phrases.nothing, NO_ANSWER, read);
    },
  };
}

/** Returns what was said before the last user message, and what it says before its own last paragraph, as material. */
function textsOf(conversation: readonly ChatMessage[]): Source[] {
  const asked = conversation.findLastIndex(({ role }) => role === "user");
  const before = conversation.filter((_, i) => i !== asked).map(({ content }) => content);
  const paragraphs = (conversation[asked]?.content ?? "").trim().split(/\n\s*\n/);
  return [...before, ...paragraphs.slice(0, -1)]
    .filter((text) => text.trim() !== "")
    .map((text, i) => ({ n: i + 1, articleId: 0, title: "", url: "", passages: [{ text, start: 0 }] }));
}
