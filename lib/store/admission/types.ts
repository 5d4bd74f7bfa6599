import type { Json } from "../json.ts";

/** One valid, cleaned item as it is to be stored. Text without U+0000; `contentHash` in hex. */
export type AdmissionItem = {
  sourceId: string;
  externalId: string;
  url: string;
  canonicalUrl: string;
  /** Host of the canonical URL, in punycode. */
  domain: string;
  title: string;
  content: string;
  contentHash: string;
  lang: string | null;
  /** ISO 8601 in UTC, years 0001 to 9999. */
  publishedAt: string | null;
  authors: string[];
  images: string[];
  raw: { [key: string]: Json } | null;
  categoryLabel: string | null;
  provider: string | null;
  categoryId: string | null;
  categorySource: string | null;
  categoryConfidence: number | null;
  taxonomyVersion: string | null;
};

/** The verdict on one item. `failed` here means only that its source is not known (and has to be). */
export type AdmissionResult =
  | { status: "accepted"; articleId: number | undefined }
  | { status: "duplicate"; articleId: number | undefined }
  | { status: "conflict" }
  | { status: "failed" };

/**
 * An Idempotency-Key with its scope. Hashes in hex. `memo` is kept with the verdicts: what the caller needs to say them
 * again.
 */
export type IdempotencyKey = { tokenHash: string; key: string; bodyHash: string; ttlS: number; memo: string };

/** What goes with the items of one request. */
export type AdmissionContext = {
  requireKnownSource: boolean;
  idempotency?: IdempotencyKey | undefined;
};

/**
 * The verdicts, in the order of the items. With `conflict` nothing was stored: no result names an article that
 * would have been accepted.
 */
export type Decided = { conflict: boolean; results: AdmissionResult[] };

/** What became of the request. */
export type AdmissionOutcome =
  | ({ kind: "decided" } & Decided)
  /** The key was used before for the same body: these are the verdicts of then, with the memo of then. */
  | ({ kind: "replayed"; memo: string } & Decided)
  /** The key was used before for another body. `results`: what the items would have got; nothing was stored. */
  | ({ kind: "key-reuse" } & Decided);
