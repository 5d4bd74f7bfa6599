import { SEARCH_MODES } from "@isnad/lib/contract";
import { type QueryValues, withQuery } from "../view.ts";

/** The parameters of a search that its address holds; all others are left out of what is asked. */
const NAMES = [
  ...["q", "mode", "match", "sort", "typos", "group"],
  ...["lang", "source", "category", "domain", "entity", "story", "from", "to"],
] as const;

/** Names the parameters that narrow a search, in the order in which they are shown. */
export const FILTERS = ["lang", "source", "category", "domain", "entity", "story", "from", "to"] as const;

/** Hits of a page of results, and the last hit that pages reach. */
export const PAGE_SIZE = 20;
const LAST_HIT = 1_000;

/** A search as its address says it. */
export type SearchQuery = { q: string; values: Readonly<Record<string, string>>; offset: number };

/** Reads a search from an address. */
export function readSearch(params: URLSearchParams): SearchQuery {
  const values: Record<string, string> = {};
  for (const name of NAMES) {
    const value = params.get(name)?.trim() ?? "";
    if (value !== "") values[name] = value;
  }
  const offset = Number(params.get("offset") ?? 0);
  const isPage = Number.isInteger(offset) && offset > 0 && offset + PAGE_SIZE <= LAST_HIT;
  return { q: values.q ?? "", values, offset: isPage ? offset : 0 };
}

/** Returns the address of a search with some parameters changed; the page begins anew. `path`: where it leads. */
export function searchAddress({ values }: SearchQuery, change: QueryValues = {}, path = "/search"): string {
  return withQuery(path, { ...values, ...change });
}

/** Facets that are counted beside the hits. */
export const FACETS = ["source", "category", "lang", "entity"] as const;
export type FacetName = (typeof FACETS)[number];

/** Tells whether a search asks for anything. */
export function isAsked({ values }: SearchQuery): boolean {
  return Object.keys(values).some((name) => name === "q" || FILTERS.some((filter) => filter === name));
}

/** The ways to search, best known first. */
export const MODES = SEARCH_MODES.toReversed();
