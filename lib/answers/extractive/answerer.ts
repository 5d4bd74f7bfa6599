import { createTurns } from "../../std/mod.ts";
import type { Answerer } from "../answerer.ts";
import type { ChatMessage } from "../chat-model.ts";
import type { Source } from "../grounding/source.ts";
import { chooseSentences } from "./choose.ts";
import { PHRASES } from "./phrases.ts";
import { quote, wordsOf } from "./quote.ts";
import { rankSentences, type SentenceModels } from "./rank-sentences.ts";

/** The name that built-in answers and summaries carry. */
export const EXTRACTIVE_MODEL = "isnad-extractive";

/**
 * The built-in model: its answers are the sentences that answer, quoted with their citations. Where nothing does it
 * says so. Without sources it quotes the texts of the conversation.
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

/** What was said before the last user message, and what it says before its own last paragraph, as material. */
function textsOf(conversation: readonly ChatMessage[]): Source[] {
  const asked = conversation.findLastIndex(({ role }) => role === "user");
  const before = conversation.filter((_, i) => i !== asked).map(({ content }) => content);
  const paragraphs = (conversation[asked]?.content ?? "").trim().split(/\n\s*\n/);
  return [...before, ...paragraphs.slice(0, -1)]
    .filter((text) => text.trim() !== "")
    .map((text, i) => ({ n: i + 1, articleId: 0, title: "", url: "", text }));
}
