/** A sitemap that an index names. */
export interface SitemapFile {
  readonly url: string;
  /** ISO 8601 UTC. */
  readonly modifiedAt: string | null;
}

/** A page that a sitemap names. */
export interface SitemapPage {
  readonly url: string;
  readonly modifiedAt: string | null;
  /** What Google's news extension says of it; null for a plain entry. */
  readonly news: SitemapNews | null;
  readonly image: string | null;
}

/** The news extension of a sitemap entry. */
export interface SitemapNews {
  readonly title: string;
  readonly publishedAt: string | null;
  readonly publication: string;
  readonly language: string | null;
  readonly keywords: readonly string[];
}

/** A sitemap file: an index of others, or pages. `truncated` says that it holds more than was read. */
export type Sitemap =
  | { readonly kind: "index"; readonly files: readonly SitemapFile[]; readonly truncated: boolean }
  | { readonly kind: "pages"; readonly pages: readonly SitemapPage[]; readonly truncated: boolean };

/** A file is no sitemap, or too large to read as one. */
export class SitemapError extends Error {
  override name = "SitemapError";
  readonly code: "not-a-sitemap" | "too-large";
  constructor(code: SitemapError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
