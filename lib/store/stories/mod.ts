import type { Sql } from "../client.ts";
import { repeating } from "../transaction.ts";
import { enlistStretch, type Step, type Stretch } from "../work.ts";
import { storyLists } from "./list.ts";
import { placeInStories, type StoryRules } from "./place.ts";
import { type StoryReport, storyTexts } from "./reports.ts";

export type { Story, StoryArticle } from "./list.ts";
export type { StoryLink, StoryRules } from "./place.ts";
export type { StoryCandidate, StoryReport, StoryText } from "./reports.ts";

/** Makes the statements over stories. */
export function storyStore(sql: Sql) {
  return {
    texts: (ids: readonly number[]) => repeating(() => storyTexts(sql, ids)),
    place: (batch: readonly StoryReport[], rules: StoryRules, step?: Step) => placeInStories(sql, batch, rules, step),
    enlist: (stretch: UntoldStretch) => enlistUntold(sql, stretch),
    ...storyLists(sql),
  };
}

/** A stretch of articles; `again`: those too that have a story. */
type UntoldStretch = Stretch & { version: number; again?: boolean | undefined };

/**
 * Queues the indexed articles of a stretch that these rules put into no story, or all with `again`; those whose names
 * are still being looked for come later by themselves.
 */
async function enlistUntold(sql: Sql, { version, again = false, ...stretch }: UntoldStretch) {
  const due = sql`
    select s.article_id from stretch s left join story_articles m using (article_id)
    where s.state = 'indexed' and (${again} or m.version is distinct from ${version})
      and not exists (
        select from work w where w.article_id = s.article_id and w.stage = 'entities' and w.set_aside_at is null)`;
  return await enlistStretch(sql, stretch, { stage: "stories", priority: -1, due });
}
