import type { VectorHit } from "@isnad/lib/search";
import { chunkText, codePointSlice, highlight, MAX_CHUNK_UNITS, type QueryTerms } from "@isnad/lib/text";
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
