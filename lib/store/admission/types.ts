export type { AdmissionItem } from "../articles/columns.ts";

/**
 * The verdict on one item. `failed` here means only that its source is not known (and has to be). With `conflict` it is
 * the article that the pair belongs to; undefined where that is an item of the same batch.
 */
export type AdmissionResult =
  | { status: "accepted"; articleId: number | undefined }
  | { status: "duplicate"; articleId: number | undefined }
  | { status: "conflict"; articleId: number | undefined }
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
