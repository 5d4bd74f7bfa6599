import { type Passage, type PassageReader, passagesOf, type Reranker } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import type { Indexed } from "../hybrid/indexed.ts";
import { type Collection, ndcgAt10 } from "../keyword/collection.ts";
import { candidates, type Stage } from "./first-stage.ts";

/**
 * Mean nDCG@10 as the first stage found the candidates and as reranked, and the ranking of each query, ten ids at most,
 * in the order of the queries.
 */
export type RerankScores = {
  before: number;
  after: number;
  rankings: { query: string; ids: string[]; scores: number[] }[];
};

/** The models that rerank: the reader is asked for the vectors of documents, once each, where there is one. */
export type RerankModels = { reranker: Pick<Reranker, "rerank">; reader?: Pick<PassageReader, "read"> | undefined };

/** Measures the reranking of the first `count` (30, as in production) documents that a first stage finds. */
export async function evalRerank(
  { branches }: Pick<Indexed, "branches">,
  { reranker, reader }: RerankModels,
  collection: Collection,
  { stage = "hybrid", count = 30 }: { stage?: Stage; count?: number } = {},
): Promise<RerankScores> {
  const { documents, queries, grades } = collection;
  const vectorsOf = reader && documentVectors(reader, documents);
  const rankings: RerankScores["rankings"] = [];
  let before = 0;
  let after = 0;
  for (const { id, text } of queries) {
    const hits = await candidates(branches, collection, text, { stage, count });
    const passages: Passage[] = [];
    for (const { document, passage } of hits) passages.push({ ...passage, vectors: await vectorsOf?.(document) });
    const scores = await reranker.rerank(text, passages);
    const judged = grades.get(id) ?? new Map<string, number>();
    const plain = hits.map(({ document }) => documents[document]?.id ?? "");
    const ranked = plain
      .map((document, i) => ({ document, score: at(scores, i) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10);
    const ids = ranked.map(({ document }) => document);
    before += ndcgAt10(plain, judged);
    after += ndcgAt10(ids, judged);
    rankings.push({ query: id, ids, scores: ranked.map(({ score }) => score) });
  }
  const size = Math.max(1, queries.length);
  return { before: before / size, after: after / size, rankings };
}

/** The vectors of a document by its place, as the workers have an article read. */
export function documentVectors(
  reader: Pick<PassageReader, "read">,
  documents: readonly { title: string; text: string }[],
): (place: number) => Promise<Int8Array> {
  const vectorsByPlace = new Map<number, Promise<Int8Array>>();
  const read = async (place: number): Promise<Int8Array> => {
    const { title = "", text = "" } = documents[place] ?? {};
    const vectors = await reader.read(passagesOf({ title, content: text }));
    return Int8Array.from(vectors.flatMap((vector) => [...vector]));
  };
  return (place) => {
    const vectors = vectorsByPlace.get(place) ?? read(place);
    vectorsByPlace.set(place, vectors);
    return vectors;
  };
}
