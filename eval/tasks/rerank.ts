import {
  createEmbedder,
  createPassageReader,
  createReranker,
  type Embedder,
  openRegistry,
  type Passage,
  type PassageReader,
  passagesOf,
  type Registry,
  type Reranker,
} from "@isnad/lib/models";
import { type Branches, fuseHybrid, searchBranches } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { chunkText, codePointSlice, countWords, queryWords } from "@isnad/lib/text";
import { indexCollection, type Indexed } from "../indexed.ts";
import { type Collection, ndcgAt10, readCollection, retrievalSets } from "../retrieval-sets.ts";
import type { EvalTask } from "../task.ts";
import { AS_SEARCH, K_RRF } from "./retrieval.ts";

/** Says which branches find the candidates. */
type Stage = "keyword" | "hybrid";

/** A candidate: a document by its place in the collection, with the passage of it that is judged. */
type Candidate = { document: number; passage: Passage };

/** The first `count` documents for a query in the order of the first stage, asked as `/v1/search` asks. */
export async function candidates(
  branches: Branches,
  { documents }: Pick<Collection, "documents">,
  query: string,
  { stage, count }: { stage: Stage; count: number },
): Promise<Candidate[]> {
  const asked = stage === "keyword" ? { ...AS_SEARCH, kVector: 0 } : AS_SEARCH;
  const branchHits = await searchBranches(branches, { ...asked, text: query });
  const passages = new Map(branchHits.vector.map((hit) => [hit.articleId, hit]));
  const scores = new Map(branchHits.keyword.map(({ articleId, score }) => [articleId, score]));
  return fuseHybrid(branchHits, { k: K_RRF, fusion: "rrf" })
    .hits.slice(0, count)
    .map(({ articleId }) => {
      const { title = "", text = "" } = documents[articleId - 1] ?? {};
      const part = passages.get(articleId) ?? fullest(title, text, query);
      const passage = { title, text: codePointSlice(text, part.start, part.end), keywordScore: scores.get(articleId) };
      return { document: articleId - 1, passage };
    });
}

function fullest(title: string, text: string, query: string): { start: number; end: number } {
  const chunks = chunkText(title, text);
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const stems = new Set(queryWords(query).flatMap(({ terms }) => terms.stems));
  let best = { start: 0, end: 0, found: -1 };
  for (const { start, end } of chunks) {
    const words = new Set(
      [...countWords(codePointSlice(text, start, end)).counts.keys()]
        .flatMap((terms) => terms.stems)
        .filter((stem) => stems.has(stem)),
    ).size;
    if (words > best.found) best = { start, end, found: words };
  }
  return best;
}

/**
 * Mean nDCG@10 as the first stage found the candidates and as reranked, and the ranking of each query, ten ids at most,
 * in the order of the queries.
 */
type RerankScores = {
  before: number;
  after: number;
  rankings: { query: string; ids: string[]; scores: number[] }[];
};

/** The models that rerank: the reader is asked for the vectors of documents, once each, where there is one. */
type RerankModels = { reranker: Pick<Reranker, "rerank">; reader?: Pick<PassageReader, "read"> | undefined };

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

/** Every nth question of the larger sets: enough to tell, and a fifth of the time. */
const EVERY: Readonly<Record<string, number>> = { "TyDi QA ar dev": 3, "ARCD train": 3, "TyDi QA en": 12 };

/**
 * The reranker over the first 30 hits of hybrid search: nDCG@10 after it, and what it gained; with `full` what it gains
 * over keyword search, too.
 */
export const rerank: EvalTask = {
  name: "rerank",
  formats: "a BEIR folder",
  sets: (data, { full }) =>
    retrievalSets(data).map((known) => {
      const every = full ? undefined : EVERY[known.set];
      return every === undefined
        ? known
        : { ...known, set: `${known.set}, every ${every === 3 ? "3rd" : `${every}th`} question`, every };
    }),
  async load({ full }) {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { embedder, reranker, reader, close } = await openRankingModels(registry);
    return {
      async measure({ path, every = 1 }) {
        const whole = readCollection(path);
        const collection = { ...whole, queries: whole.queries.filter((_, place) => place % every === 0) };
        await using indexed = await indexCollection(collection, embedder);
        const overHybrid = await evalRerank(indexed, { reranker, reader }, collection, { stage: "hybrid" });
        const overKeyword = full
          ? await evalRerank(indexed, { reranker, reader }, collection, { stage: "keyword" })
          : undefined;
        const predictions = overHybrid.rankings.flatMap(({ query, ids, scores }) =>
          ids.map((id, place) => `${query}\t${id}\t${place + 1}\t${scores[place]?.toFixed(6)}`),
        );
        const figures = {
          "nDCG@10": overHybrid.after,
          "gain, hybrid": overHybrid.after - overHybrid.before,
          ...(overKeyword && { "gain, keyword": overKeyword.after - overKeyword.before }),
        };
        return { figures, size: collection.queries.length, predictions };
      },
      close,
    };
  },
};

/** Milliseconds that a call to a model may take while a whole set is measured. */
export const MODEL_TIMEOUT_MS = 600_000;

/** The models of hybrid search with reranking; `reader` is undefined where the reranker reads texts alone. */
type RankingModels = {
  embedder: Embedder;
  reranker: Reranker;
  reader: PassageReader | undefined;
  close(): Promise<void>;
};

/** Starts the default models of hybrid search with reranking. @throws InferenceError when one cannot be started */
export async function openRankingModels(registry: Registry): Promise<RankingModels> {
  await using opened = new AsyncDisposableStack();
  const embedder = await createEmbedder({ registry, timeoutMs: MODEL_TIMEOUT_MS });
  opened.defer(() => embedder.close());
  const reranker = await createReranker({ registry, timeoutMs: MODEL_TIMEOUT_MS });
  opened.defer(() => reranker.close());
  const reader = await createPassageReader({ registry, timeoutMs: MODEL_TIMEOUT_MS });
  opened.defer(() => reader?.close());
  const models = opened.move();
  return { embedder, reranker, reader, close: () => models.disposeAsync() };
}
