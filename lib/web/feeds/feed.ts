/** A file that an entry brings along. */
export interface Enclosure {
  readonly url: string;
  readonly type: string | null;
  /** Bytes. */
  readonly length: number | null;
}

/** Entries that are read of a feed, and of an entry its categories and enclosures. */
export const MAX_ENTRIES = 5000;
export const MAX_PARTS = 200;

/** One entry of a feed. Texts are plain: no markup, white space folded, an empty line between paragraphs. */
export interface FeedEntry {
  /** As the feed gives it, else the link. */
  readonly id: string;
  readonly title: string;
  readonly link: string | null;
  /** ISO 8601 UTC. */
  readonly publishedAt: string | null;
  readonly updatedAt: string | null;
  readonly author: string;
  /** The whole text, empty when the feed gives none. */
  readonly contentText: string;
  readonly summaryText: string;
  readonly categories: readonly string[];
  readonly enclosures: readonly Enclosure[];
  /**
   * The picture that stands for it, where the feed names one that is no enclosure: a thumbnail, the cover of an
   * episode.
   */
  readonly image: string | null;
}

/** A feed of any format. */
export interface Feed {
  readonly format: "rss" | "atom" | "rdf" | "cdf" | "json";
  readonly title: string;
  readonly link: string | null;
  /** As the feed gives it, for instance `ar` or `en-GB`. */
  readonly language: string | null;
  readonly entries: readonly FeedEntry[];
}

/** Origin of a feed. */
export interface FeedOptions {
  /** The feed's own address: relative links are resolved against it. */
  readonly url?: string;
  /** IANA time zone of times that name none. Default UTC. */
  readonly zone?: string;
}

/** The text is no feed, or too large to read as one. */
export class FeedError extends Error {
  override name = "FeedError";
  readonly code: "not-a-feed" | "too-large";
  constructor(code: FeedError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
