/** What a source says of an article that is stored: another text, or that it is gone. */
export type RevisionReport = {
  sourceId: string;
  externalId: string;
  requestId: string | null;
  url: string | null;
} & ({ kind: "changed"; title: string; content: string; contentHash: string } | { kind: "deleted_at_source" });

/**
 * What became of a report. `recorded`: the source says something else than before, `revision` says what; `known`: it
 * says what it said before; `unknown`: no article is known under this pair.
 */
export type RevisionOutcome =
  | { status: "recorded" | "known"; articleId: number; revision: number }
  | { status: "unknown" };

/** A revision of an article; times are ISO 8601 in UTC. */
export type Revision = {
  /** 1 is the article as it was stored. */
  revision: number;
  kind: "stored" | "changed" | "deleted_at_source";
  reportedAt: string;
  sourceId: string;
  externalId: string;
  requestId: string | null;
  url: string | null;
  /** Null for a deletion. */
  title: string | null;
  content: string | null;
  contentHash: string | null;
  /** The text of the revision before it that has one; null for the first. */
  previous: { title: string; content: string } | null;
};

/** What a source says of an article now. */
export type RevisionSource = {
  sourceId: string;
  externalId: string;
  url: string;
  revision: number;
  /** Since when the source has the article no more. */
  goneAt: string | null;
};

/** Revisions of an article, newest first. */
export type RevisionPage = {
  articleId: number;
  docId: string;
  /** The article's own source first. */
  sources: RevisionSource[];
  revisions: Revision[];
  /** The number of the last one on this page, when there are older ones. */
  nextBefore: number | null;
};
