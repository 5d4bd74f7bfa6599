import { type Answerer, searchQuery, type Source } from "@isnad/lib/answers";
import type { ChatEvent, ChatRequest, ChatSource } from "@isnad/lib/contract";
import { type OnBehalf, type ServiceClient, z } from "@isnad/lib/service/http";
import { detectLanguage } from "@isnad/lib/text";

/** Passages that a question is answered from. */
export const SOURCES = 8;

const Found = z.object({
  results: z.array(
    z.object({
      article_id: z.int(),
      title: z.string(),
      url: z.string(),
      passage: z.string(),
      rerank_score: z.number().nullable(),
    }),
  ),
});

/**
 * Returns the passages that answer a question best, by word and by meaning, reranked, one an article, numbered from 1.
 * @throws AppError
 */
async function findSources(retrieval: ServiceClient, query: string, on: OnBehalf): Promise<Source[]> {
  const body = {
    query,
    rerank: true,
    limit: SOURCES,
    fields: ["article_id", "title", "url", "passage", "rerank_score"],
  };
  const { results } = await retrieval.post("/retrieve", body, Found, on);
  return results.map(({ article_id, title, url, passage, rerank_score }, i) => ({
    n: i + 1,
    articleId: article_id,
    title,
    url,
    text: passage,
    ...(rerank_score !== null && { score: rerank_score }),
  }));
}

/** Holds what a turn is made with. */
type Converse = { answerer: Answerer; retrieval: ServiceClient };

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

/** Returns the language of the last user message. */
function languageOf(messages: ChatRequest["messages"]): "ar" | "en" {
  const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
  return detectLanguage(asked).lang === "ar" ? "ar" : "en";
}
