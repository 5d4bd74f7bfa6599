import type { VectorHit } from "@isnad/lib/search";
import { codePointSlice, type Highlighted, highlight, type QueryTerms } from "@isnad/lib/text";
import type { Document } from "../documents.ts";

/**
 * Holds what is shown of an article for a query. Highlights are HTML: `<mark>` around what matches, the rest escaped.
 */
export type Shown = { snippet: string; highlights: Record<string, string[]> };

/** Characters of a snippet that no word of the query leads to. */
const LEAD = 240;

/** Says where an article has the words of a query. */
export type Marked = { inTitle: Highlighted; inContent: Highlighted };

/** Marks the words of a query in an article. */
export function mark({ scanned }: Document, terms: QueryTerms): Marked {
  return {
    inTitle: highlight(scanned.title, terms, { maxFragments: 1, fragmentLength: 512 }),
    inContent: highlight(scanned.content, terms),
  };
}

/**
 * The snippet and the highlights of an article: around the query's words where it has them, else from the passage that
 * is nearest in meaning, else from the beginning.
 */
export function show(
  document: Document,
  terms: QueryTerms,
  nearest: VectorHit | undefined,
  { inTitle, inContent }: Marked = mark(document, terms),
): Shown {
  const highlights: Record<string, string[]> = {};
  if (inTitle.fragments.length > 0) highlights.title = inTitle.fragments;
  if (inContent.fragments.length > 0) highlights.content = inContent.fragments;
  if (inContent.fragments.length > 0 || nearest === undefined) return { snippet: inContent.snippet, highlights };
  const passage = codePointSlice(document.content, nearest.start, Math.min(nearest.end, nearest.start + LEAD));
  return { snippet: highlight(passage, terms).snippet, highlights };
}
