import type { VectorHit } from "@isnad/lib/search";
import { mapInSlices } from "@isnad/lib/std";
import { codePointSlice, highlight, type Highlighted, type QueryTerms } from "@isnad/lib/text";
import type { Document, Documents } from "../documents.ts";

/**
 * Holds what is shown of an article for a query. Highlights are HTML: `<mark>` around what matches, the rest escaped.
 */
export type Shown = { snippet: string; highlights: Record<string, string[]> };

/** Characters of a snippet that no word of the query leads to. */
const LEAD = 240;

/** Says where an article has the words of a query. */
type Marked = { inTitle: Highlighted; inContent: Highlighted };

/** Marks the words of a query in an article. */
function mark({ scanned }: Document, terms: QueryTerms): Marked {
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

/** Marks documents for a query, each once; `ms` is the time that all of it took. */
type Marks = { of(document: Document): Marked; ms(): number };

/** Makes the marks of a query. */
export function marksFor(terms: () => QueryTerms): Marks {
  const made = new Map<Document, Marked>();
  let ms = 0;
  return {
    of(document) {
      const known = made.get(document);
      if (known !== undefined) return known;
      const start = performance.now();
      const marked = mark(document, terms());
      made.set(document, marked);
      ms += performance.now() - start;
      return marked;
    },
    ms: () => ms,
  };
}

/**
 * Documents of which some can be read and visited before it is known which ones are needed. `begin` is called once at
 * most; what it asks for is not asked for again.
 */
export function earlyDocuments(
  documents: Documents,
  visit: (document: Document) => void,
): Documents & { begin(keys: readonly number[]): void } {
  let begun: { keys: ReadonlySet<number>; found: Promise<Document[]> } | undefined;
  return {
    begin(keys) {
      const found = documents.byKeys(keys, { ahead: visit });
      begun = { keys: new Set(keys), found };
      // Who needs them learns why there are none.
      found.then((each) => mapInSlices(each, visit)).catch(() => undefined);
    },
    async byKeys(keys, options) {
      if (begun === undefined) return await documents.byKeys(keys, options);
      const { keys: first, found } = begun;
      const others = keys.filter((key) => !first.has(key));
      const rest = others.length === 0 ? [] : documents.byKeys(others, options);
      const both = (await Promise.all([found, rest])).flat();
      return both.filter(({ key }) => keys.includes(key));
    },
  };
}
