import type { Store } from "../../store/mod.ts";
import type { KeywordIndex } from "../keyword/mod.ts";
import { sourceTiers } from "./keyword-writer.ts";

/** The tiers of the sources, as known to this process. */
export type Tiers = {
  /** The tier of every source; read once, then as of the last `refresh`. */
  current(): Promise<ReadonlyMap<string, number>>;
  /** Reads them again, and tells the keyword index of those that it may not know. */
  refresh(): Promise<void>;
};

/** Keeps the tiers of the sources at hand, and the keyword index up to date about them. */
export function keepTiers(store: Pick<Store, "sources">, keyword: Pick<KeywordIndex, "setTier">): Tiers {
  let known: ReadonlyMap<string, number> | undefined;
  const told = new Map<string, number>();
  return {
    async current() {
      known ??= await sourceTiers(store);
      return known;
    },
    async refresh() {
      known = await sourceTiers(store);
      for (const [source, tier] of known) {
        if (told.get(source) === tier) continue;
        await keyword.setTier(source, tier);
        told.set(source, tier);
      }
    },
  };
}
