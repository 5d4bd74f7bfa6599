import { matchCopies } from "@isnad/lib/stories";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { isAway, Times } from "./run.ts";

/** Makes the stage `copies`: finds which articles share text with one, once it can be searched. */
export function copies({ store }: { store: Pick<Store, "copies"> }): Stage {
  return {
    name: "copies",
    after: "analysis",
    batch: 32,
    leaseS: 30,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    isAway,
    async run(items, { step }) {
      const times = new Times();
      // Not the texts cached for the other stages: what an article's source says now counts.
      const articles = await times.of("load", () => store.copies.texts(items.map(({ articleId }) => articleId)));
      const matched = await times.of("match", () => matchCopies(store, articles));
      const stored = await times.of("store", () => store.copies.put(matched, step));
      const links = matched.reduce((sum, each) => sum + each.links.length, 0);
      return { counts: { matched: stored.length, links, ...times.all() } };
    },
  };
}
