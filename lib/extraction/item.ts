/**
 * Says where a date of publication comes from: the page's metadata or the data of its scripts, a place that the page
 * marks as the date's own, the address, a mere line, or the last change; `none` where there is no date.
 */
export type DateOrigin = "metadata" | "marked" | "address" | "line" | "modified" | "none";

/** Holds what a page is: an article, or why it is none. */
export type PageKind = "article" | "listing" | "block-page" | "consent-page" | "error-page" | "empty";

/** Holds what extraction found on a page. */
export interface ExtractedPage {
  readonly kind: PageKind;
  /** Empty when there is none. */
  readonly title: string;
  /** Plain text: an empty line between paragraphs, no markup. */
  readonly content: string;
  readonly authors: readonly string[];
  /** ISO 8601 UTC; midnight for a date without a time. Null when unknown. */
  readonly publishedAt: string | null;
  /** Says where `publishedAt` comes from: a selector of the profile, else what the page says. */
  readonly publishedFrom: "selector" | DateOrigin;
  /** The same moment with the offset of the zone in which the publisher wrote it, `Z` where it named none. */
  readonly publishedLocal: string | null;
  readonly modifiedAt: string | null;
  /** The address that the publisher calls canonical, absolute; null when there is none. */
  readonly canonicalUrl: string | null;
  /** Two-letter code, null when unknown. */
  readonly language: string | null;
  readonly image: string | null;
  /** The publisher's name for the section, empty when there is none. */
  readonly category: string;
  /** Holds what the text was taken from. */
  readonly method: "profile" | "blocks" | "json-ld" | "none";
  /** Says which of the profile's selectors found something on the page. */
  readonly selectors: MatchedSelectors;
  /** True when only subscribers may read the whole of it, so that the text may be just its beginning. */
  readonly paywalled: boolean;
  /** 0 to 1: how sure the text is the article's, the whole of it and nothing else. */
  readonly quality: number;
  /** Holds its ClaimReviews (schema.org), each as JSON: what it found claims to be. Left out where it has none. */
  readonly claimReviews?: readonly string[];
  /** Says where it says that it goes on: `next_page`, else `rel=next`; absolute, at most five. */
  readonly nextPages: readonly string[];
}

/** CSS selectors of a source's pages, from its profile; what is not given is found in general. */
export interface PageSelectors {
  readonly title?: string;
  readonly content?: string;
  readonly published_at?: string;
  readonly author?: string;
  readonly image?: string;
  /** Elements to take out first. */
  readonly remove?: readonly string[];
  /** The link to the next page of the same article. */
  readonly next_page?: string;
}

/** The selectors that find a part of an article. */
export type SelectorName = Exclude<keyof PageSelectors, "remove" | "next_page">;

/** Selectors that were applied to a page, by whether they found something. */
export interface MatchedSelectors {
  readonly matched: readonly SelectorName[];
  readonly unmatched: readonly SelectorName[];
}

/** A page to extract. */
export interface PageInput {
  readonly html: string;
  /** The address that it came from; relative links are resolved against it. */
  readonly url: string;
  readonly selectors?: PageSelectors;
  /** Selectors for other designs of the source's pages, tried in order where the first match nothing. */
  readonly otherSelectors?: readonly PageSelectors[];
  /** IANA zone of times without one. */
  readonly zone?: string;
  /** Says when the page was read, in milliseconds since 1970; later dates of publication are rejected. Default now. */
  readonly now?: number;
}

/** Why a page could not be extracted. */
export type ExtractErrorCode = "too-large" | "not-text" | "bad-selector";

/** A page could not be extracted. */
export class ExtractError extends Error {
  override name = "ExtractError";
  readonly code: ExtractErrorCode;
  constructor(code: ExtractErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
