import type { AdmissionResult } from "../store/index.ts";
import type { CheckedItem } from "./check-item.ts";
import { type ItemError, itemError } from "../contract/item-error.ts";

/** What became of one item, as the client reads it. */
export type ItemResult = {
  external_id: string | null;
  status: "accepted" | "duplicate" | "conflict" | "failed";
  article_id?: number;
  error?: ItemError;
};

/** Puts the verdicts of the admission, which saw the valid items only, back into the order of the request. */
export function mergeResults(checked: readonly CheckedItem[], verdicts: readonly AdmissionResult[]): ItemResult[] {
  let next = 0;
  return checked.map((entry) => {
    if ("error" in entry) return { external_id: entry.externalId, status: "failed", error: entry.error };
    const verdict = verdicts[next++];
    if (verdict === undefined) throw new Error("the admission left out an item");
    return resultOf(entry.externalId, entry.item.sourceId, verdict);
  });
}

function resultOf(externalId: string, sourceId: string, verdict: AdmissionResult): ItemResult {
  const { status } = verdict;
  if (status === "failed") {
    return {
      external_id: externalId,
      status,
      error: itemError("unknown-source", `source_id ${sourceId} is not registered`),
    };
  }
  const articleId = "articleId" in verdict ? verdict.articleId : undefined;
  return { external_id: externalId, status, ...(articleId !== undefined && { article_id: articleId }) };
}

/** The articles that were stored anew: those the workers have to be woken up for. */
export function acceptedIds(results: readonly ItemResult[]): number[] {
  return results.flatMap(({ status, article_id }) =>
    status === "accepted" && article_id !== undefined ? [article_id] : [],
  );
}
