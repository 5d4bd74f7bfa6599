import type { Embedder } from "../../models/mod.ts";
import { codePointSlice, sentences } from "../../text/mod.ts";
import { ModelNotInstalled } from "../error.ts";
import { EXTRACTIVE_MODEL } from "../extractive/answerer.ts";
import { wordsOf } from "../extractive/quote.ts";
import type { Translator } from "../tasks.ts";
import { chooseSentences, type WordBounds } from "./choose.ts";
import { sentenceOf } from "./features.ts";
import type { Summarizer } from "./summarizer.ts";

const BOUNDS: Record<"short" | "medium" | "long", WordBounds> = {
  short: { enough: 12, most: 60 },
  medium: { enough: 50, most: 90 },
  long: { enough: 110, most: 170 },
};

/** Sentences that are judged: the first ones of a longer text. */
const MAX_RANKED_SENTENCES = 500;

/**
 * The built-in summaries: sentences of the text in its order, none that repeats another. A sentence longer than a
 * summary may be is cut at a word, and ends in an ellipsis. For another language they go through the translator; there
 * is none where it is undefined.
 */
export function extractiveSummarizer(
  embedder: Pick<Embedder, "embed">,
  translator: { model: string; use: Translator } | undefined,
): Summarizer {
  return {
    model: EXTRACTIVE_MODEL,
    async summarize({ text, sourceLang, targetLang, length, requestId, signal }) {
      const translates = targetLang !== sourceLang;
      if (translates && translator === undefined) throw notReached(targetLang);
      const points = await pointsOf(text, BOUNDS[length], embedder, signal);
      if (!translates || translator === undefined) return points;
      const { use } = translator;
      const call = { sourceLang, targetLang, requestId, signal };
      return await Promise.all(points.map(async (point) => (await use.translate({ text: point, ...call })).text));
    },
  };
}

async function pointsOf(
  text: string,
  bounds: WordBounds,
  embedder: Pick<Embedder, "embed">,
  signal: AbortSignal,
): Promise<string[]> {
  const spans = sentences(text).slice(0, MAX_RANKED_SENTENCES);
  const texts = spans.map(({ start, end }) => codePointSlice(text, start, end));
  if (texts.length === 0) return [text.trim()];
  const vectors = await embedder.embed(texts, "passage", signal);
  const all = texts.map((each, i) => sentenceOf(each, vectors[i] ?? new Float32Array()));
  return chooseSentences(all, bounds).map((place) => cut(texts[place] ?? "", bounds.most));
}

function cut(sentence: string, most: number): string {
  const words = wordsOf(sentence);
  return words.length <= most ? sentence : `${words.slice(0, most).join(" ")}…`;
}

function notReached(lang: string): ModelNotInstalled {
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(lang) ?? lang;
  return new ModelNotInstalled(
    `summaries in ${name} of a text in another language`,
    "`bun run models pull opus-mt-ar-en` and `bun run models pull opus-mt-en-ar` install what translates them, or LLM_URL and LLM_MODEL name a server that writes them.",
  );
}
