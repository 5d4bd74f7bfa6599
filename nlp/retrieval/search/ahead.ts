import { mapInSlices } from "@isnad/lib/std";
import type { QueryTerms } from "@isnad/lib/text";
import type { Document, Documents } from "../documents.ts";
import { type Marked, mark } from "./passages.ts";

/** Marks documents for a query, each once; `ms` is the time that all of it took. */
export type Marks = { of(document: Document): Marked; ms(): number };

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
