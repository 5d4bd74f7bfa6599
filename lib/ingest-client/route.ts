/** A route that takes a batch of items, and the statuses that it gives them. */
export interface Route<Status extends string> {
  readonly path: string;
  readonly statuses: readonly Status[];
}

/** What the ingest route says of an article. */
export type ArticleStatus = "accepted" | "duplicate" | "conflict" | "failed";

/** What the revisions route says of a report: the source says something else than before, or what it said before. */
export type ReportStatus = "recorded" | "known" | "failed";

/** Takes articles. */
export const ARTICLES: Route<ArticleStatus> = {
  path: "/v1/ingest/articles",
  statuses: ["accepted", "duplicate", "conflict", "failed"],
};

/** Takes what sources say of known articles now. */
export const REVISIONS: Route<ReportStatus> = {
  path: "/v1/ingest/revisions",
  statuses: ["recorded", "known", "failed"],
};
