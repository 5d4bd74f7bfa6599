import { reportOf, STORY_RULES } from "@isnad/lib/stories";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { isAway, Times } from "./run.ts";

/**
 * Makes the stage `stories`: puts articles into the stories of the events that they tell of, once it is known who and
 * what they name, and where the reranker reads articles beforehand, once it has read them.
 */
export function stories({ store, isRead = false }: { store: Pick<Store, "stories">; isRead?: boolean }): Stage {
  return {
    name: "stories",
    after: isRead ? "rerank" : "entities",
    batch: 32,
    leaseS: 30,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    isAway,
    async run(items, { step }) {
      const times = new Times();
      const texts = await times.of("load", () => store.stories.texts(items.map(({ articleId }) => articleId)));
      const reports = await times.of("read", async () => texts.map(reportOf));
      const counts = await times.of("place", () => store.stories.place(reports, STORY_RULES, step));
      return { counts: { ...counts, ...times.all() } };
    },
  };
}
