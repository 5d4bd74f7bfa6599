import { itemError } from "../contract/item-error.ts";
import type { IngestResult } from "../contract/mod.ts";
import type { AdmissionResult } from "../store/mod.ts";
import type { CheckedItem } from "./check-item.ts";

/** What is known of an item before the admission decides over it: by what it is called, or what is wrong with it. */
export type Submitted =
  | { externalId: string; sourceId: string }
  | { externalId: string | null; error: NonNullable<IngestResult["error"]> };

/** What is to be kept of checked items for the answer. */
export function submittedOf(checked: readonly CheckedItem[]): Submitted[] {
  return checked.map((entry) =>
    "item" in entry ? { externalId: entry.externalId, sourceId: entry.item.sourceId } : entry,
  );
}

/** Puts the verdicts of the admission, which saw the valid items only, back into the order of the request. */
export function mergeResults(submitted: readonly Submitted[], verdicts: readonly AdmissionResult[]): IngestResult[] {
  let next = 0;
  return submitted.map((entry) => {
    if ("error" in entry) return { external_id: entry.externalId, status: "failed", error: entry.error };
    const verdict = verdicts[next++];
    if (verdict === undefined) throw new Error("the admission left out an item");
    return resultOf(entry, verdict);
  });
}

function resultOf(
  { externalId, sourceId }: { externalId: string; sourceId: string },
  verdict: AdmissionResult,
): IngestResult {
  const { status } = verdict;
  if (status === "failed") {
    return {
      external_id: externalId,
      status,
      error: itemError("unknown-source", `source_id ${sourceId} is not registered`),
    };
  }
  const shown = status === "conflict" ? undefined : verdict.articleId;
  return { external_id: externalId, status, ...(shown !== undefined && { article_id: shown }) };
}

/** The articles that were accepted: those that need an `ingestion` job. */
export function acceptedIds(results: readonly IngestResult[]): number[] {
  return results.flatMap(({ status, article_id }) =>
    status === "accepted" && article_id !== undefined ? [article_id] : [],
  );
}
