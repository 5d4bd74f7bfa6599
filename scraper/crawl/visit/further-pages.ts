import type { ExtractedPage, PageKind } from "../../../lib/extraction/mod.ts";
import type { Failure } from "./failure.ts";
import { isPageOf } from "./same-article.ts";

/** A page of an article and where it came from. */
export interface ArticlePage {
  readonly page: ExtractedPage;
  readonly url: string;
}

/** How the pages of an article are gone through. */
export interface FurtherPages {
  /** Fetches and extracts a page. */
  readonly read: (url: string) => Promise<ArticlePage | { readonly why: Failure }>;
  /** Whether the profile itself says where the link is; otherwise an address must look like one of the same article. */
  readonly isSelected: boolean;
  readonly maxPages: number;
}

/** An article put together from its pages. */
export interface WholeArticle {
  readonly page: ExtractedPage;
  readonly pages: number;
  /** Why its next page could not be had; null when it goes on nowhere. */
  readonly cutOff: Failure | null;
}

/** Pages that stand in the way of the article. */
const NO_TEXT: ReadonlySet<PageKind> = new Set(["block-page", "consent-page", "error-page", "empty"]);
/** The longest text that is put together; the ingest route cuts at 200,000 code points. */
const MAX_CONTENT = 250_000;

/**
 * Follows an article from its first page on and joins the texts: each page once, paragraphs that an earlier page has
 * left out. It ends at a page that adds nothing. Rejects with what `read` rejects with.
 */
export async function withFurtherPages(first: ArticlePage, options: FurtherPages): Promise<WholeArticle> {
  const { read, isSelected, maxPages } = options;
  const paragraphs = new Set(first.page.content.split("\n\n"));
  const visited = new Set([first.url]);
  let content = first.page.content;
  let last = first.page;
  let pages = 1;
  let cutOff: Failure | null = null;
  while (pages < maxPages && content.length < MAX_CONTENT) {
    const next = last.nextPages.find(
      (address) => !visited.has(address) && (isSelected || isPageOf(first.url, address, pages + 1)),
    );
    if (next === undefined) break;
    visited.add(next);
    const further = await read(next);
    if ("why" in further) {
      cutOff = further.why;
      break;
    }
    if (NO_TEXT.has(further.page.kind)) break;
    const fresh = further.page.content.split("\n\n").filter((text) => text !== "" && !paragraphs.has(text));
    if (fresh.length === 0) break;
    visited.add(further.url);
    for (const paragraph of fresh) paragraphs.add(paragraph);
    content = [content, ...fresh].join("\n\n").slice(0, MAX_CONTENT).toWellFormed();
    last = further.page;
    pages++;
  }
  return { page: { ...first.page, content }, pages, cutOff };
}
