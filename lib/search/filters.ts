/** What a search may be narrowed to; every given field must hold. Times are milliseconds since 1970, both inclusive. */
export type Filters = {
  lang?: string | undefined;
  /** `source_id` of the article. */
  source?: string | undefined;
  category?: string | undefined;
  /** A host; its subdomains match too. */
  domain?: string | undefined;
  /** 1 to 3. */
  sourceTier?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** The fields of a document that filters look at. */
export type FilterFields = {
  lang: string | null;
  sourceId: string;
  categoryId: string | null;
  domain: string;
  tier: number | null;
  publishedAt: number | null;
};

/** Whether no filter is set. */
export function isUnfiltered(filters: Filters): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** Whether `host` is `domain` or one of its subdomains; both in the form of {@link import("@isnad/lib/text").hostOf}. */
export function withinDomain(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === ".");
}

/** Whether a document passes every filter. A document without a date passes no date filter. */
export function matchesFilters(doc: FilterFields, filters: Filters): boolean {
  if (filters.lang !== undefined && doc.lang !== filters.lang) return false;
  if (filters.source !== undefined && doc.sourceId !== filters.source) return false;
  if (filters.category !== undefined && doc.categoryId !== filters.category) return false;
  if (filters.sourceTier !== undefined && doc.tier !== filters.sourceTier) return false;
  if (filters.domain !== undefined && !withinDomain(doc.domain, filters.domain)) return false;
  if (filters.from !== undefined && !(doc.publishedAt !== null && doc.publishedAt >= filters.from)) return false;
  return filters.to === undefined || (doc.publishedAt !== null && doc.publishedAt <= filters.to);
}
