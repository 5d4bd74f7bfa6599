import type { Embedder } from "@isnad/lib/models";
import { extractiveSummarizer } from "@isnad/lib/answers";
import type { ArticleText } from "./texts.ts";

/** Makes the summaries of articles, by their numbers. Throws what the model throws. */
export type ArticleSummaries = (
  articles: readonly (ArticleText & { lang: string | null })[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<number, string>>;

/** The built-in summaries of medium length, in the language of the article. */
export function articleSummaries(embedder: Pick<Embedder, "embed">): ArticleSummaries {
  const { summarize } = extractiveSummarizer(embedder, undefined);
  return async (articles, signal) => {
    const made = new Map<number, string>();
    // One at a time: the sentences of a whole batch are more than the model lets wait.
    for (const { articleId, content, lang } of articles) {
      const language = lang ?? "und";
      const call = { text: content, sourceLang: language, targetLang: language, length: "medium" as const, signal };
      made.set(articleId, (await summarize(call)).join(" "));
    }
    return made;
  };
}
