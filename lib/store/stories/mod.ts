import type { Sql, Tx } from "../client.ts";
import { repeating, transaction } from "../transaction.ts";
import { type Step, WORK_CHANNEL } from "../work.ts";
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

/** A stretch of articles, up to `limit` of them with an id above `afterId`; `again`: those too that have a story. */
type UntoldStretch = { afterId: number; limit: number; version: number; again?: boolean | undefined };

/**
 * Queues the indexed articles of a stretch that these rules put into no story, or all with `again`; those whose names
 * are still being looked for come later by themselves. Idempotent, and one short transaction.
 */
async function enlistUntold(sql: Sql, { afterId, limit, version, again = false }: UntoldStretch) {
  const work = async (tx: Tx) => {
    const [row] = await tx<{ lastId: number | null; enlisted: number }[]>`
      with stretch as materialized (
        select article_id, state from articles where article_id > ${afterId} order by article_id limit ${limit}
      ), due as materialized (
        select a.article_id from articles a
        where a.article_id in (
          select s.article_id from stretch s left join story_articles m using (article_id)
          where s.state = 'indexed' and (${again} or m.version is distinct from ${version})
            and not exists (
              select from work w where w.article_id = s.article_id and w.stage = 'entities' and w.set_aside_at is null))
        order by a.article_id for key share
      ), put as (
        insert into work (article_id, stage, priority) select article_id, 'stories', -1 from due
        on conflict do nothing returning 1
      ), announced as (
        select pg_notify(${WORK_CHANNEL}, 'stories') where exists (select from put)
      )
      select (select max(article_id) from stretch) as "lastId", (select count(*)::int from put) as enlisted
      from (select count(*) from announced) as a`;
    return { lastId: row?.lastId ?? undefined, enlisted: row?.enlisted ?? 0 };
  };
  return await transaction(sql, work, { repeatable: true });
}
