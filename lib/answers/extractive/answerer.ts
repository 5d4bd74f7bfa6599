import { createTurns } from "../../std/mod.ts";
import type { Answerer, ChatMessage, ChatPart, Source } from "../tasks.ts";
import { cosine, type RankedSentence, rankSentences, type SentenceModels } from "./sentences.ts";

/** Sentences that an answer quotes, at most. */
const MAX_QUOTED_SENTENCES = 3;
/** Below this score the best sentence does not answer. */
const ANSWERS = 0;
/** A further sentence is quoted when its score is at most this much below the best one's. */
const NEAR = 4;
/** A sentence this like a better one (a cosine) says the same again. */
const SAME = 0.93;

/** Returns the sentences to quote, best first; none when nothing answers. */
export function chooseSentences(ranked: readonly RankedSentence[], most = MAX_QUOTED_SENTENCES): RankedSentence[] {
  const [best] = ranked;
  if (best === undefined || best.score < ANSWERS) return [];
  const chosen: RankedSentence[] = [];
  for (const sentence of ranked) {
    if (chosen.length === most || sentence.score < best.score - NEAR) break;
    if (!chosen.some((better) => isSame(better, sentence))) chosen.push(sentence);
  }
  return chosen;
}

function isSame(a: RankedSentence, b: RankedSentence): boolean {
  return cosine(a.vector, b.vector) > SAME || a.text.includes(b.text);
}

/** Holds what the built-in model says in its own words; all else in its answers is quoted. */
const PHRASES = {
  ar: {
    nothing: "لا يوجد في المقالات المتاحة ما يجيب عن هذا السؤال.",
    noMaterial:
      "يجيب النموذج المدمج باقتباس جمل من المقالات، ولا يوجد في هذه المحادثة نص يقتبس منه. فعّل grounded أو اضبط LLM_URL لنموذج يولّد النصوص.",
  },
  en: {
    nothing: "Nothing in the available articles answers this question.",
    noMaterial:
      "The built-in model answers by quoting sentences of articles, and this conversation holds no text to quote. Turn `grounded` on, or set LLM_URL to a model that writes.",
  },
} as const;

/**
 * Returns an answer of quoted sentences, each with its citation, at most `maxWords` words of it; `read` is how many
 * words it was made of. Citations are left out where `cite` is false.
 */
function* quote(
  chosen: readonly RankedSentence[],
  { nothing, maxWords, read, cite }: { nothing: string; maxWords: number; read: number; cite: boolean },
): Generator<ChatPart> {
  const pieces = chosen.map(({ text, source }) => ({ text, citation: cite ? ` [${source.n}]` : "" }));
  if (pieces.length === 0) pieces.push({ text: nothing, citation: "" });
  let words = 0;
  for (const [i, { text, citation }] of pieces.entries()) {
    const all = wordsOf(text);
    const shown = all.slice(0, maxWords - words);
    words += shown.length;
    if (shown.length > 0) {
      const whole = shown.length === all.length;
      yield { kind: "text", text: `${i > 0 ? "\n\n" : ""}${whole ? text : `${shown.join(" ")}…`}${citation}` };
    }
    if (words >= maxWords && (shown.length < all.length || i < pieces.length - 1)) {
      yield { kind: "end", finishReason: "length", usage: usage(read, words) };
      return;
    }
  }
  yield { kind: "end", finishReason: "stop", usage: usage(read, words) };
}

/** Returns the words of a text, parted by white space. */
export function wordsOf(text: string): string[] {
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
  // Searches of many chats are answered together.
  const turn = createTurns();
  return {
    provider: "builtin",
    model: EXTRACTIVE_MODEL,
    async *answer({ conversation, query, sources, lang, maxTokens, signal }) {
      const material = sources ?? textsOf(conversation);
      const phrases = PHRASES[lang];
      await turn();
      const ranked = await rankSentences(query, material, models, signal);
      const read = material.reduce((sum, { text }) => sum + wordsOf(text).length, wordsOf(query).length);
      const nothing = material.length === 0 && sources === undefined ? phrases.noMaterial : phrases.nothing;
      yield* quote(chooseSentences(ranked), { nothing, maxWords: maxTokens, read, cite: sources !== undefined });
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
    .map((text, i) => ({ n: i + 1, articleId: 0, title: "", url: "", text }));
}
