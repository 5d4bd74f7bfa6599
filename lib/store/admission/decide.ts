import type { AdmissionItem, AdmissionResult } from "./types.ts";

/** An article that the database knows, or that this request has just inserted (`fresh`). */
export type KnownArticle = { articleId: number; contentHash: string; fresh: boolean };

/** What was known before and what was inserted, by pair (see `pairKey`) and by content hash. */
export type Known = { pairs: Map<string, KnownArticle>; hashes: Map<string, KnownArticle> };

/** A further pair under which an article is now known. */
export type Alias = { sourceId: string; externalId: string; url: string; articleId: number };

/** The pair (`source_id`, `external_id`) as one string; U+0000 occurs in neither. */
export function pairKey(item: { sourceId: string; externalId: string }): string {
  return `${item.sourceId}\u0000${item.externalId}`;
}

/**
 * The status table, first match wins: pair known with this content: duplicate; pair known with other content: conflict;
 * content known under another pair: duplicate, and the pair becomes an alias; else accepted. The same among the items. An item of a source in
 * `unknownSources` fails. Returns undefined when an item is neither known nor inserted: its article went away meanwhile.
 */
export function decide(
  items: readonly AdmissionItem[],
  known: Known,
  unknownSources: ReadonlySet<string> = new Set(),
): { results: AdmissionResult[]; aliases: Alias[] } | undefined {
  const pairs = new Map(known.pairs);
  const announced = new Set<number>();
  const results: AdmissionResult[] = [];
  const aliases: Alias[] = [];
  for (const item of items) {
    if (unknownSources.has(item.sourceId)) {
      results.push({ status: "failed" });
      continue;
    }
    const byPair = pairs.get(pairKey(item));
    if (byPair !== undefined) {
      const same = byPair.contentHash === item.contentHash;
      results.push(same ? { status: "duplicate", articleId: byPair.articleId } : { status: "conflict" });
      continue;
    }
    const byHash = known.hashes.get(item.contentHash);
    if (byHash === undefined) return undefined;
    pairs.set(pairKey(item), byHash);
    if (byHash.fresh && !announced.has(byHash.articleId)) {
      announced.add(byHash.articleId);
      results.push({ status: "accepted", articleId: byHash.articleId });
      continue;
    }
    results.push({ status: "duplicate", articleId: byHash.articleId });
    aliases.push({
      sourceId: item.sourceId,
      externalId: item.externalId,
      url: item.url,
      articleId: byHash.articleId,
    });
  }
  return { results, aliases };
}

/** The verdicts of a request that stores nothing: what it would have inserted has no id to name. */
export function withoutFreshIds(results: readonly AdmissionResult[], fresh: ReadonlySet<number>): AdmissionResult[] {
  return results.map((result) =>
    "articleId" in result && result.articleId !== undefined && fresh.has(result.articleId)
      ? { ...result, articleId: undefined }
      : result,
  );
}
