import { type OnBehalf, type ServiceClient, z } from "@isnad/lib/service/http";
import type { Source } from "@isnad/lib/answers";

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
 * The passages that answer a question best, by word and by meaning, reranked, one an article, numbered from 1. @throws
 * AppError
 */
export async function findSources(retrieval: ServiceClient, query: string, on: OnBehalf): Promise<Source[]> {
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
