import { DeletionReport, type ItemError, itemError } from "@isnad/lib/contract";
import { type CheckThread, changeReport, checkItems, refused } from "@isnad/lib/ingest";
import { isObject } from "@isnad/lib/std";
import type { RevisionReport } from "@isnad/lib/store";

/** A valid report, or what is wrong with it. `externalId` is as sent, null where it is no string. */
export type CheckedReport =
  | { externalId: string; report: RevisionReport }
  | { externalId: string | null; error: ItemError };

/**
 * Checks the entries of a request: an article as the ingest route takes it, with what its source says now, or the
 * report of a deletion.
 */
export async function checkReports(
  entries: readonly unknown[],
  { thread, requestId }: { thread: Pick<CheckThread, "check">; requestId: string },
): Promise<CheckedReport[]> {
  const checked = await checkItems(entries.filter(isArticle), thread);
  const articles = checked.values();
  return entries.map((entry): CheckedReport => {
    if (!isArticle(entry)) return checkDeletion(entry, requestId);
    const article = articles.next().value;
    if (article === undefined) throw new Error("the check left out an article");
    if ("error" in article) return article;
    return { externalId: article.externalId, report: changeReport(article.item, requestId) };
  });
}

function isArticle(entry: unknown): boolean {
  return !isObject(entry) || entry.kind === undefined || entry.kind === "changed";
}

function checkDeletion(entry: unknown, requestId: string): CheckedReport {
  if (!isObject(entry)) return { externalId: null, error: itemError("invalid-field", "the item must be an object") };
  const parsed = DeletionReport.safeParse(entry);
  if (!parsed.success) return refused(entry, parsed.error.issues);
  const { kind, source_id, external_id, url = null } = parsed.data;
  return { externalId: external_id, report: { kind, sourceId: source_id, externalId: external_id, url, requestId } };
}
