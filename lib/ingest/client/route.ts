import { IngestResponse, RevisionResponse } from "../../contract/mod.ts";

/** A result of either route, as it comes. */
type Result<Status> = {
  external_id: string | null;
  status: Status | "failed";
  article_id?: number | undefined;
  error?: { type: string; detail: string } | undefined;
};

/**
 * A route that takes a batch of items, and how the results in its answer are read; null for what is no answer of it.
 */
export interface Route<Status extends string> {
  readonly path: string;
  results(body: unknown): readonly Result<Status>[] | null;
}

/** What the ingest route says of an article. */
export type ArticleStatus = "accepted" | "duplicate" | "conflict" | "failed";

/** What the revisions route says of a report: the source says something else than before, or what it said before. */
export type ReportStatus = "recorded" | "known" | "failed";

const ingested = IngestResponse.pick({ results: true });
const reported = RevisionResponse.pick({ results: true });

/** Takes articles. A 202 and a 409 carry results in the same way. */
export const ARTICLES: Route<ArticleStatus> = {
  path: "/v1/ingest/articles",
  results: (body) => ingested.safeParse(body).data?.results ?? null,
};

/** Takes what sources say of known articles now. */
export const REVISIONS: Route<ReportStatus> = {
  path: "/v1/ingest/revisions",
  results: (body) => reported.safeParse(body).data?.results ?? null,
};
