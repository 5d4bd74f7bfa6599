import type { VectorHit } from "@isnad/lib/search";
import {
  chunkText,
  codePointSlice,
  codePointSlicer,
  highlight,
  MAX_CHUNK_UNITS,
  type QueryTerms,
} from "@isnad/lib/text";
import type { Document } from "../documents.ts";

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
