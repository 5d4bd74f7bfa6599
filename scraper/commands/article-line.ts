import type { ExtractedPage, PageInput } from "../extract/index.ts";
import { ReaderError, type ReaderPool } from "../reader/index.ts";

/** What `scraper:extract` prints of a page. */
export interface ArticleLine {
  /** As given, or where the page came from; null when a line of a list names none. */
  readonly id: unknown;
  readonly title: string;
  readonly content: string;
  /** Names joined with a comma. */
  readonly author: string | null;
  /** ISO 8601 in the zone of the publisher. */
  readonly published_at: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly language: string | null;
  /** Milliseconds that extraction took. */
  readonly ms: number;
  /** Why there is no article: the kind of page, the reader's error code, or what is wrong with the line. */
  readonly error?: string;
}

const REFUSED = new Set(["block-page", "consent-page", "error-page", "empty"]);

/** Extracts a page into a line. A page that cannot be read, or is no article, gives a line with `error`. */
export async function articleLine(pool: ReaderPool, id: unknown, input: PageInput): Promise<ArticleLine> {
  const start = performance.now();
  let page: ExtractedPage | undefined;
  let error: string | undefined;
  try {
    page = await pool.extract(input);
    if (REFUSED.has(page.kind)) error = page.kind;
  } catch (cause) {
    if (!(cause instanceof ReaderError)) throw cause;
    error = cause.code;
  }
  return lineOf(id, page, performance.now() - start, error);
}

/** A line for what could not even be tried. */
export function failedLine(id: unknown, error: string): ArticleLine {
  return lineOf(id, undefined, 0, error);
}

function lineOf(id: unknown, page: ExtractedPage | undefined, ms: number, error: string | undefined): ArticleLine {
  return {
    id,
    title: page?.title ?? "",
    content: page?.content ?? "",
    author: page?.authors.join(", ") || null,
    published_at: page?.publishedLocal ?? null,
    canonical_url: page?.canonicalUrl ?? null,
    image: page?.image ?? null,
    language: page?.language ?? null,
    ms: Math.round(ms * 10) / 10,
    ...(error !== undefined && { error }),
  };
}
