import type { VectorHit } from "@isnad/lib/search";
import { chunkText, codePointSlice, highlight, type QueryTerms } from "@isnad/lib/text";
import type { Document } from "../documents.ts";

/**
 * The passage of the article to show: the nearest one in meaning where the vector branch found it, else the one with
 * the most words of the query, the first of equals.
 */
export function passageOf({ title, content }: Document, terms: QueryTerms, nearest: VectorHit | undefined): string {
  if (nearest !== undefined) return codePointSlice(content, nearest.start, nearest.end);
  let best = { text: content, marks: -1 };
  for (const { start, end } of chunkText(title, content)) {
    const text = codePointSlice(content, start, end);
    const marks = highlight(text, terms).fragments.join("").split("<mark>").length;
    if (marks > best.marks) best = { text, marks };
  }
  return best.text;
}
