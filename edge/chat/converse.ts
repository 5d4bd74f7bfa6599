import type { ChatEvent, ChatRequest, ChatSource } from "@isnad/lib/contract";
import type { OnBehalf, ServiceClient } from "@isnad/lib/service/http";
import { type Answerer, searchQuery, type Source } from "@isnad/lib/answers";
import { detectLanguage } from "@isnad/lib/text";
import { findSources } from "./find-sources.ts";

/** What a turn is made with. */
export type Converse = { answerer: Answerer; retrieval: ServiceClient };

/**
 * Answers the last user message of a conversation: searches for it with what it refers to, then has it answered from
 * what was found. Throws what search and model throw, the signal's reason when that aborts.
 */
export async function* converse(
  { answerer, retrieval }: Converse,
  { messages, grounded, lang, max_tokens, temperature, stream }: ChatRequest,
  on: OnBehalf,
): AsyncGenerator<ChatEvent> {
  const query = searchQuery(messages);
  const sources = grounded ? await findSources(retrieval, query, on) : undefined;
  yield {
    event: "meta",
    data: { request_id: on.requestId, model: answerer.model, sources: (sources ?? []).map(shown) },
  };
  const parts = answerer.answer({
    conversation: messages,
    query,
    sources,
    lang: lang ?? languageOf(messages),
    maxTokens: max_tokens,
    temperature,
    live: stream,
    ...on,
  });
  for await (const part of parts) {
    if (part.kind === "text") yield { event: "delta", data: { text: part.text } };
    else yield { event: "done", data: { finish_reason: part.finishReason, usage: part.usage } };
  }
}

function shown({ n, articleId, title, url }: Source): ChatSource {
  return { n, article_id: articleId, title, url };
}

/** The language of the last user message. */
function languageOf(messages: ChatRequest["messages"]): "ar" | "en" {
  const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
  return detectLanguage(asked).lang === "ar" ? "ar" : "en";
}
