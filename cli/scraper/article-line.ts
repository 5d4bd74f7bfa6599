import type { ExtractedPage, PageInput } from "../../lib/extraction/mod.ts";
import { ReaderError, type ReaderPool } from "../../lib/extraction/reader/mod.ts";

/** What `scraper:extract` prints of a page. */
export interface ArticleLine {
  /** As given, or where the page came from; null when a line of a list names none. */
  readonly id: unknown;
  readonly title: string;
  readonly content: string;
  /** Names joined with a comma. */
  readonly author: string | null;
  /** ISO 8601 in UTC, as the articles of the pipeline have it. */
  readonly published_at: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly language: string | null;
  /** True when only subscribers may read the whole of it; left out for others. */
  readonly paywalled?: true;
  /** Milliseconds that extraction took. */
  readonly ms: number;
  /** Why there is no article: the kind of page, the reader's error code, or what is wrong with the line. */
  readonly error?: string;
  /** The same in words, where there is more to say. */
  readonly detail?: string;
}

const REFUSED = new Set(["block-page", "consent-page", "error-page", "empty"]);

/** Extracts a page into a line. A page that cannot be read, or is no article, gives a line with `error`. */
export async function articleLine(pool: ReaderPool, id: unknown, input: PageInput): Promise<ArticleLine> {
  const start = performance.now();
  let page: ExtractedPage | undefined;
  let refusal: Refusal | undefined;
  try {
    page = await pool.extract(input);
    if (REFUSED.has(page.kind)) refusal = { error: page.kind };
  } catch (cause) {
    if (!(cause instanceof ReaderError)) throw cause;
    refusal = { error: cause.code, detail: cause.message };
  }
  return lineOf(id, page, performance.now() - start, refusal);
}

/** A line for what could not even be tried. */
export function failedLine(id: unknown, error: string): ArticleLine {
  return lineOf(id, undefined, 0, { error });
}

type Refusal = Pick<ArticleLine, "detail"> & Required<Pick<ArticleLine, "error">>;

function lineOf(id: unknown, page: ExtractedPage | undefined, ms: number, refusal: Refusal | undefined): ArticleLine {
  return {
    id,
    title: page?.title ?? "",
    content: page?.content ?? "",
    author: page?.authors.join(", ") || null,
    published_at: page?.publishedAt ?? null,
    canonical_url: page?.canonicalUrl ?? null,
    image: page?.image ?? null,
    language: page?.language ?? null,
    ...(page?.paywalled === true && { paywalled: true as const }),
    ms: Math.round(ms * 10) / 10,
    ...refusal,
  };
}
