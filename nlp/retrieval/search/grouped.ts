import { type SearchResult, SEARCH_DEPTH } from "@isnad/lib/contract";
import { articleIdOfKey } from "@isnad/lib/store";
import type { RetrievalDeps } from "../deps.ts";
import type { Hits } from "./hits.ts";

/** Tells the stories of articles. */
type StoryStore = Pick<RetrievalDeps["store"], "stories">;

/** Leaves of the hits of each story its best; an article without a story is one by itself. */
export async function groupedByStory({ stories }: StoryStore, hits: Hits): Promise<Hits> {
  const all = await hits.all();
  const storyOf = await stories.idsOf(all.map(({ articleId }) => articleIdOfKey(articleId)));
  const seen = new Set<number>();
  const best = all.filter(({ articleId }) => {
    const story = storyOf.get(articleIdOfKey(articleId));
    if (story === undefined) return true;
    if (seen.has(story)) return false;
    seen.add(story);
    return true;
  });
  const head = best.slice(0, SEARCH_DEPTH);
  return {
    ...hits,
    ranked: { length: head.length, slice: (from, to) => head.slice(from, to) },
    total: best.length,
    isDeep: best.length > head.length,
    all: async () => best,
  };
}

/** Returns the story of each article of a page. */
export async function storiesOfPage(
  { stories }: StoryStore,
  page: readonly { document: { articleId: number } }[],
): Promise<Map<number, NonNullable<SearchResult["story"]>>> {
  const storyOf = await stories.idsOf(page.map(({ document }) => document.articleId));
  const whole = await stories.byIds([...new Set(storyOf.values())]);
  const views = new Map(
    whole.map(({ storyId, size, sources }) => [
      storyId,
      {
        story_id: storyId,
        size,
        sources: sources.map(({ sourceId, sourceName, count, firstAt }) => ({
          source_id: sourceId,
          source_name: sourceName,
          count,
          first_at: firstAt,
        })),
      },
    ]),
  );
  return new Map(
    [...storyOf].flatMap(([articleId, storyId]) => {
      const view = views.get(storyId);
      return view === undefined ? [] : [[articleId, view] as const];
    }),
  );
}
