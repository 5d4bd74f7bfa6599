import { extractiveSummarizer } from "@isnad/lib/answers";
import type { Embedder } from "@isnad/lib/models";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";

type SummaryDeps = {
  store: Pick<Store, "articles">;
  /** Without an embedder articles wait. */
  embedder: Pick<Embedder, "embed"> | undefined;
};

/** Makes the stage `summary`: the built-in summary of medium length, in the language of the article. */
export function summary({ store, embedder }: SummaryDeps): Stage {
  const summarizer = embedder && extractiveSummarizer(embedder, undefined);
  return {
    name: "summary",
    after: "analysis",
    batch: 16,
    leaseS: 60,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    run:
      summarizer &&
      (async (items, { signal, step }) => {
        const ids = items.map(({ articleId }) => articleId);
        const summaries = new Map<number, string>();
        // One at a time: the sentences of a whole batch are more than the model lets wait.
        for (const { articleId, content, lang } of await store.articles.byIds(ids, ["articleId", "content", "lang"])) {
          const language = lang ?? "und";
          const call = { text: content, sourceLang: language, targetLang: language, length: "medium" as const, signal };
          summaries.set(articleId, (await summarizer.summarize(call)).join(" "));
        }
        await store.articles.putSummaries(summaries, step);
        return { counts: { summaries: summaries.size } };
      }),
  };
}
