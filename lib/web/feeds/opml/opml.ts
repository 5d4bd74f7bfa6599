/** A feed that an OPML file lists. */
export interface OpmlFeed {
  readonly title: string;
  /** The feed's address, http or https. */
  readonly xmlUrl: string;
  /** The address of the site. */
  readonly htmlUrl: string | null;
  readonly description: string;
  readonly language: string | null;
  /** The outlines around it, outermost first. */
  readonly folders: readonly string[];
  /** What its `category` attribute lists, slashes at the ends removed. */
  readonly categories: readonly string[];
  /** Its attributes with the prefix `isnad:`, names without it in lower case: what a source has beyond OPML. */
  readonly extra: Readonly<Record<string, string>>;
}

/** An outline that could not be read as a feed. */
export interface OpmlProblem {
  readonly title: string;
  /**
   * `no-address` (an outline without feeds), `bad-address` (not http or https), `duplicate`, `link` (an outline that
   * includes another file).
   */
  readonly reason: "no-address" | "bad-address" | "duplicate" | "link";
  /** The address as written, empty for none. */
  readonly address: string;
}

/** An OPML file as a flat list of feeds. */
export interface OpmlDocument {
  readonly title: string;
  readonly feeds: readonly OpmlFeed[];
  readonly problems: readonly OpmlProblem[];
}

/** The text is no OPML, or too large to read as one. */
export class OpmlError extends Error {
  override name = "OpmlError";
  readonly code: "not-opml" | "too-large";
  constructor(code: OpmlError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
