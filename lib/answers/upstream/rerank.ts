import type { Fetcher } from "../../web/egress/mod.ts";
import type { Reranker } from "../../models/mod.ts";
import { z } from "zod";
import { LlmError } from "../error.ts";
import { askJson, jsonRequest } from "./ask-json.ts";
import type { Upstream } from "./upstream.ts";

const Score = z
  .object({ index: z.int(), relevance_score: z.number().nullish(), score: z.number().nullish() })
  .transform(({ index, relevance_score, score }) => ({ index, score: relevance_score ?? score }));
const Scores = z.union([z.object({ results: z.array(Score) }).transform(({ results }) => results), z.array(Score)]);

/** A reranking model behind `POST /rerank`, as Cohere, Jina, vLLM, llama.cpp and LiteLLM have it. */
export function upstreamReranker(upstream: Upstream, fetch: Fetcher): Pick<Reranker, "rerank"> {
  return {
    async rerank(query, passages, { signal = new AbortController().signal } = {}) {
      if (passages.length === 0) return new Float32Array();
      const documents = passages.map(({ title, text }) => (title === "" ? text : `${title}\n${text}`));
      const body = { model: upstream.model, query, documents, top_n: documents.length };
      const results = await askJson(upstream, fetch, jsonRequest("/rerank", body, { signal }), Scores);
      const scores = new Float32Array(documents.length).fill(Number.NaN);
      for (const { index, score } of results)
        if (typeof score === "number" && index in documents) scores[index] = score;
      if (scores.some(Number.isNaN)) throw new LlmError("bad-answer", "the upstream left out a document");
      return scores;
    },
  };
}
