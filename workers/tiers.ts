import type { Store } from "@isnad/lib/store";
import { sourceTiers } from "@isnad/lib/sync";

/** The tiers of the sources, read again when they are older than `maxAgeMs`. */
export function tierCache(
  store: Pick<Store, "sources">,
  maxAgeMs = 30_000,
): () => Promise<ReadonlyMap<string, number>> {
  let tiers: Promise<ReadonlyMap<string, number>> | undefined;
  let readAt = 0;
  return async () => {
    if (tiers === undefined || performance.now() - readAt > maxAgeMs) {
      readAt = performance.now();
      tiers = sourceTiers(store);
      tiers.catch(() => {
        tiers = undefined;
      });
    }
    return tiers;
  };
}
