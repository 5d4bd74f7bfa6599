import { fuseHybrid, searchBranches } from "@isnad/lib/search";
import { AS_SEARCH, K_RRF } from "../hybrid/evaluate.ts";
import type { Indexed } from "../hybrid/indexed.ts";
import type { KnownItems } from "./articles.ts";
import { QUERIES, QUERY_KINDS, type QueryKind } from "./queries.ts";

/** The modes of `/v1/search`. */
export const MODES = ["keyword", "vector", "hybrid"] as const;
type Mode = (typeof MODES)[number];

/** The place of an article in the ranking of each mode for one query, from 1; 0 where it is not in it. */
export type Places = Record<Mode, number> & { kind: QueryKind; query: string; target: number };

/** Asks for each target in each way, as `/v1/search` asks. The article id of an article is its place, from 1. */
export async function placesOfItems(
  { branches }: Pick<Indexed, "branches">,
  { articles, targets }: KnownItems,
): Promise<Places[]> {
  const places: Places[] = [];
  for (const kind of QUERY_KINDS) {
    for (const target of targets) {
      const article = articles[target];
      if (article === undefined) throw new RangeError(`there is no article ${target}`);
      const query = QUERIES[kind](article);
      const branchHits = await searchBranches(branches, { ...AS_SEARCH, text: query });
      const placeIn = (hits: readonly { articleId: number }[]) =>
        1 + hits.findIndex(({ articleId }) => articleId === target + 1);
      const { hits } = fuseHybrid(branchHits, { k: K_RRF, fusion: "rrf" });
      const modes = { keyword: placeIn(branchHits.keyword), vector: placeIn(branchHits.vector), hybrid: placeIn(hits) };
      places.push({ kind, query, target, ...modes });
    }
  }
  return places;
}

/** The mean reciprocal rank of each way to ask in each mode, under names such as `MRR title, hybrid`. */
export function meanReciprocalRanks(places: readonly Places[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const kind of QUERY_KINDS) {
    const ofKind = places.filter((each) => each.kind === kind);
    for (const mode of MODES) {
      const sum = ofKind.reduce((total, { [mode]: place }) => total + (place === 0 ? 0 : 1 / place), 0);
      figures[`MRR ${kind}, ${mode}`] = sum / Math.max(1, ofKind.length);
    }
  }
  return figures;
}
