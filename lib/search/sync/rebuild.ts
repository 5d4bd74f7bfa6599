import type { KeywordIndex } from "../keyword/index.ts";
import { type ReconcileOptions, type ReconcileProgress, reconcileKeyword } from "./reconcile.ts";

/** Empties the keyword index and fills it from Postgres. What is cut short is finished by {@link reconcileKeyword}. */
export async function rebuildKeyword(
  options: ReconcileOptions & { keyword: Pick<KeywordIndex, "clear"> },
): Promise<ReconcileProgress> {
  await options.keyword.clear();
  return reconcileKeyword(options);
}
