import { mapInSlices } from "@isnad/lib/std";
import type { QueryTerms } from "@isnad/lib/text";
import type { Document, Documents } from "../documents.ts";
import { type Marked, mark } from "./passages.ts";

/** Marks documents for a query, each once; `ms` is the time that all of it took. */
export type Marks = { of(document: Document): Marked; ms(): number };

/** Makes the marks of a query. */
export function marksFor(terms: QueryTerms): Marks {
  const made = new Map<Document, Marked>();
  let ms = 0;
  return {
    of(document) {
      const known = made.get(document);
      if (known !== undefined) return known;
      const start = performance.now();
      const marked = mark(document, terms);
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
): Documents & { begin(ids: readonly number[]): void } {
  let begun: { ids: ReadonlySet<number>; found: Promise<Document[]> } | undefined;
  return {
    begin(ids) {
      const found = documents.byIds(ids, { ahead: visit });
      begun = { ids: new Set(ids), found };
      // Who needs them learns why there are none.
      found.then((each) => mapInSlices(each, visit)).catch(() => undefined);
    },
    async byIds(ids, options) {
      if (begun === undefined) return await documents.byIds(ids, options);
      const { ids: first, found } = begun;
      const others = ids.filter((id) => !first.has(id));
      const rest = others.length === 0 ? [] : documents.byIds(others, options);
      const both = (await Promise.all([found, rest])).flat();
      return both.filter(({ articleId }) => ids.includes(articleId));
    },
  };
}
