import type { VectorHit } from "@isnad/lib/search";
import {
  chunkText,
  codePointSlice,
  codePointSlicer,
  highlight,
  MAX_CHUNK_UNITS,
  type QueryTerms,
} from "@isnad/lib/text";
import type { Passage } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import type { Document, FoundDocument } from "../documents.ts";
import type { Judge, RerankStore } from "../deps.ts";
import type { Evidence } from "../evidence.ts";

/**
 * Returns the passage of the article to show: the nearest one in meaning where the vector branch found it, else the one
 * with the most words of the query, the first of equals. It has {@link MAX_CHUNK_UNITS} code points at most, and is
 * empty only where the article has no text at all.
 */
export function passageOf(
  { title, content }: Pick<Document, "title" | "content">,
  terms: QueryTerms,
  nearest: VectorHit | undefined,
): string {
  const cut = (start: number, end: number) => codePointSlice(content, start, Math.min(end, start + MAX_CHUNK_UNITS));
  const near = nearest === undefined ? "" : cut(nearest.start, nearest.end);
  if (near.trim() !== "") return near;
  let best = { text: "", marks: -1 };
  for (const { start, end, text: words } of chunkText("", content)) {
    const text = words === "" ? cut(start, end) : words;
    const marks = highlight(text, terms).fragments.join("").split("<mark>").length;
    if (marks > best.marks) best = { text, marks };
  }
  return best.text === "" ? title : best.text;
}

/** Number of passages of an article that say most of a question, beside its beginning. */
const MAX_TELLING = 2;

/** A stretch of an article's content: code points, end exclusive. */
type ArticlePassage = { text: string; offsets: { start: number; end: number } };

/**
 * Returns what of an article a question is answered from, in its order: its beginning, the passage nearest in meaning,
 * and those with the most words of the query.
 */
export function passagesOf(
  { content }: Pick<Document, "content">,
  terms: QueryTerms,
  nearest: VectorHit | undefined,
): ArticlePassage[] {
  const slice = codePointSlicer(content);
  const chunks = chunkText("", content).map(({ start, end }) => ({
    start,
    end: Math.min(end, start + MAX_CHUNK_UNITS),
  }));
  const [beginning] = chunks;
  if (beginning === undefined || content.trim() === "") return [];
  const near = nearest && chunks.find(({ start, end }) => nearest.start < end && nearest.end > start);
  const marked = chunks
    .filter((chunk) => chunk !== beginning && chunk !== near)
    .map((chunk) => ({ chunk, marks: markedIn(slice(chunk.start, chunk.end), terms) }))
    .filter(({ marks }) => marks > 0)
    .toSorted((a, b) => b.marks - a.marks)
    .slice(0, near === undefined || near === beginning ? MAX_TELLING : MAX_TELLING - 1);
  const chosen = new Set([beginning, ...(near === undefined ? [] : [near]), ...marked.map(({ chunk }) => chunk)]);
  return [...chosen]
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => ({ text: slice(start, end), offsets: { start, end } }));
}

/** Counts the words of a query in a text. */
function markedIn(text: string, terms: QueryTerms): number {
  return highlight(text, terms).fragments.join("").split("<mark>").length - 1;
}

/**
 * The fused hits that are reranked: the first so many. What lies deeper keeps its order behind them. Of 20, 30 and 50,
 * measured on the sets of `bun run eval --task rerank`, 30 gain the most on questions without losing elsewhere.
 */
export const RERANKED = 30;

/**
 * Hits that no vectors were made of beforehand, and whose texts a reranker of vectors reads with the search: the first
 * so many, some 0.1 s of a processor. The others keep their places: reading all would hold up the searches beside it.
 */
export const READ_ALONG = 10;

/** A hit with the reranker's score; null where it was not reranked. */
export type RankedDocument<T> = FoundDocument<T> & { rerankScore: number | null };

/** The hits in their new order, with what went wrong: then the order is the old one. */
export type Reranked<T> = { page: RankedDocument<T>[]; ms: number; error?: unknown };

/**
 * Puts the first {@link RERANKED} of `page`, a fused list from its beginning, into the order of the reranker's scores;
 * ties keep the fused order. One that takes vectors is given those that the articles were read to beforehand, and the
 * texts of {@link READ_ALONG} others. How long it may take is the reranker's own affair: some are hundreds of times as
 * slow as others. Rejects only when the caller goes away.
 */
export async function rerankPage<T extends { articleId: number; keywordRank: number | null }>(
  { judge, store }: { judge: Judge; store: RerankStore },
  query: string,
  page: readonly FoundDocument<T>[],
  { evidence, terms, signal }: { evidence: Evidence; terms: QueryTerms; signal?: AbortSignal | undefined },
): Promise<Reranked<T>> {
  const start = performance.now();
  const head = page.slice(0, RERANKED);
  try {
    const ids = head.map(({ document }) => document.articleId);
    const vectorsOf = judge.dims > 0 ? await store.rerank.vectorsOf(ids, judge) : new Map<number, Int8Array>();
    const unread = head.filter(({ document }) => !vectorsOf.has(document.articleId));
    const passedOver = new Set(judge.dims > 0 ? unread.slice(READ_ALONG) : []);
    const judged = head.filter((hit) => !passedOver.has(hit));
    const passages = judged.map(({ articleId, document, keywordRank }): Passage => {
      const vectors = vectorsOf.get(document.articleId);
      const text = vectors === undefined ? passageOf(document, terms, evidence.passages.get(articleId)) : "";
      return { title: document.title, text, vectors, keywordScore: evidence.keywordScore(keywordRank) };
    });
    const scores = await judge.rerank(query, passages, signal === undefined ? {} : { signal });
    const ranked = judged
      .map((hit, i): RankedDocument<T> => ({ ...hit, rerankScore: at(scores, i) }))
      .sort((a, b) => (b.rerankScore ?? 0) - (a.rerankScore ?? 0))
      .values();
    const all = unranked(page).map((hit, i) => {
      const { value = hit } = i < head.length && !passedOver.has(at(head, i)) ? ranked.next() : { value: hit };
      return { ...value, finalRank: i + 1 };
    });
    return { page: all, ms: performance.now() - start };
  } catch (error) {
    signal?.throwIfAborted();
    return { page: unranked(page), ms: performance.now() - start, error };
  }
}

/** The hits as they are. */
export function unranked<T>(page: readonly FoundDocument<T>[]): RankedDocument<T>[] {
  return page.map((hit) => ({ ...hit, rerankScore: null }));
}
