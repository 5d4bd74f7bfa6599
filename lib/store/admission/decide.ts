import type { AdmissionItem } from "../articles/columns.ts";

export type { AdmissionItem } from "../articles/columns.ts";

/** An article that the database knows, or that this request has just inserted (`fresh`). */
export type KnownArticle = { articleId: number; contentHash: string; fresh: boolean };

/** Articles that were known before or inserted by this request, by pair (see `pairKey`) and by content hash. */
export type Known = { pairs: Map<string, KnownArticle>; hashes: Map<string, KnownArticle> };

/** A further pair under which an article is now known. */
export type Alias = {
  sourceId: string;
  externalId: string;
  url: string;
  publishedAt: string | null;
  articleId: number;
};

/** The verdicts on the items of a request, and what goes with them into the database. */
type Verdict = {
  results: AdmissionResult[];
  conflict: boolean;
  /** Items that are to be stored and are not yet. */
  missing: number;
  aliases: Alias[];
};

/** The pair (`source_id`, `external_id`) as one string; U+0000 occurs in neither. */
export function pairKey(item: { sourceId: string; externalId: string }): string {
  return `${item.sourceId}\u0000${item.externalId}`;
}

/**
 * The status table, first match wins: pair known with this content: duplicate; pair known with other content:
 * conflict; content known under another pair: duplicate, and the pair becomes an alias; else accepted. The same holds
 * among the items. An item of a source in `unknownSources` fails.
 *
 * With a conflict nothing is to be stored, and no result names an article that was.
 */
export function decide(
  items: readonly AdmissionItem[],
  known: Known,
  unknownSources: ReadonlySet<string> = new Set(),
): Verdict {
  const pairs = new Map(known.pairs);
  const hashes = new Map<string, { articleId: number | undefined; contentHash: string; fresh: boolean }>(known.hashes);
  const accepted = new Set<string>();
  const results: AdmissionResult[] = [];
  const aliases: Alias[] = [];
  const batchPairs = new Map<string, string>();
  let missing = 0;
  for (const item of items) {
    if (unknownSources.has(item.sourceId)) {
      results.push({ status: "failed" });
      continue;
    }
    const key = pairKey(item);
    const paired = pairs.get(key);
    const knownHash = paired?.contentHash ?? batchPairs.get(key);
    if (knownHash !== undefined && knownHash !== item.contentHash) {
      results.push({ status: "conflict", articleId: paired?.articleId });
      continue;
    }
    const article = paired ?? hashes.get(item.contentHash);
    const isFirst = (article === undefined || article.fresh) && !accepted.has(item.contentHash);
    if (isFirst) {
      accepted.add(item.contentHash);
      if (article === undefined) {
        missing++;
        hashes.set(item.contentHash, { articleId: undefined, contentHash: item.contentHash, fresh: true });
      }
      results.push({ status: "accepted", articleId: article?.articleId });
    } else {
      results.push({ status: "duplicate", articleId: article?.articleId });
      if (knownHash === undefined && article?.articleId !== undefined) {
        const { url, publishedAt } = item;
        aliases.push({ ...pairOf(item), url, publishedAt, articleId: article.articleId });
      }
    }
    batchPairs.set(key, item.contentHash);
  }
  if (!results.some((result) => result.status === "conflict")) return { results, conflict: false, missing, aliases };
  const fresh = new Set([...known.hashes.values()].flatMap((article) => (article.fresh ? [article.articleId] : [])));
  return { results: results.map((result) => withoutId(result, fresh)), conflict: true, missing: 0, aliases: [] };
}

function pairOf({ sourceId, externalId }: AdmissionItem): { sourceId: string; externalId: string } {
  return { sourceId, externalId };
}

function withoutId(result: AdmissionResult, fresh: ReadonlySet<number>): AdmissionResult {
  if (!("articleId" in result) || result.articleId === undefined || !fresh.has(result.articleId)) return result;
  return { ...result, articleId: undefined };
}

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

/** Holds what goes with the items of one request. */
export type AdmissionContext = {
  requireKnownSource: boolean;
  idempotency?: IdempotencyKey | undefined;
};

/**
 * The verdicts, in the order of the items. With `conflict` nothing was stored: no result names an article that
 * would have been accepted.
 */
export type Decided = { conflict: boolean; results: AdmissionResult[] };

/** Holds what became of the request. */
export type AdmissionOutcome =
  | ({ kind: "decided" } & Decided)
  /** The key was used before for the same body: these are the verdicts of then, with the memo of then. */
  | ({ kind: "replayed"; memo: string } & Decided)
  /** The key was used before for another body. `results`: what the items would have got; nothing was stored. */
  | ({ kind: "key-reuse" } & Decided);
