import type { AdmissionContext, AdmissionOutcome, Store } from "../store/mod.ts";
import type { CheckedItem } from "./check-item.ts";

/**
 * Decides over the valid ones among checked entries, and stores what is accepted. Nothing is to be decided, and nothing
 * kept, of entries without a valid one and without an idempotency key.
 */
export async function admitChecked(
  store: Pick<Store, "admission">,
  checked: readonly CheckedItem[],
  context: AdmissionContext,
): Promise<AdmissionOutcome> {
  const items = checked.flatMap((entry) => ("item" in entry ? [entry.item] : []));
  if (items.length > 0 || context.idempotency !== undefined) return await store.admission.admit(items, context);
  return { kind: "decided", conflict: false, results: [] };
}
