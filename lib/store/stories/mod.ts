import type { Sql } from "../client.ts";
import { repeating } from "../transaction.ts";
import { enlistStretch, type Step, type Stretch } from "../work.ts";
import { placeInStories, type StoryRules } from "./place.ts";
import { type StoryReport, storyTexts } from "./reports.ts";
import { iso } from "../articles/columns.ts";
import { CURRENT, CURRENT_TITLE } from "../copies.ts";
import { NUMERIC } from "../entities.ts";
import { articleKey } from "../log.ts";

/** Makes the statements that list stories. */
function storyLists(sql: Sql) {
  return {
    list: (query: StoryQuery) => repeating(() => listStories(sql, query)),
    get: (id: number, options?: { lang?: string | undefined }) => repeating(() => getStory(sql, id, options)),
    ofArticle: (articleId: number) => repeating(() => storyOfArticle(sql, articleId)),
    byIds: (ids: readonly number[]) => repeating(() => storiesOf(sql, ids, { to: Date.now() })),
    count: (articleIds: readonly number[], limit: number) => repeating(() => countStories(sql, articleIds, limit)),
    keysOf: (id: number) => repeating(() => storyKeys(sql, id)),
    idsOf: (articleIds: readonly number[]) => repeating(() => storyIdsOf(sql, articleIds)),
  };
}

/** The orders of a list of stories. */
type StorySort = "size" | "newest" | "growth";

/** A place in a list: behind the story with this value of what the list is sorted by. */
type StoryCursor = { value: number; storyId: number };

/** Selects the stories with an article for which all conditions hold that are given. */
type StoryQuery = {
  /** Milliseconds since 1970, inclusive. */
  from: number;
  to: number;
  lang?: string | undefined;
  category?: string | undefined;
  source?: string | undefined;
  entity?: { id?: number | undefined; key: string } | undefined;
  /** Words of the title: for each the hashed stems of which one is to be there. */
  words?: readonly (readonly number[])[] | undefined;
  minSize: number;
  sort: StorySort;
  limit: number;
  after?: StoryCursor | undefined;
};

/** A story as lists show it; times are ISO 8601 in UTC. */
export type Story = {
  storyId: number;
  title: string;
  languages: string[];
  firstSeen: string;
  lastSeen: string;
  size: number;
  sources: { sourceId: string; sourceName: string; count: number; firstAt: string }[];
  entities: { entityId: number; name: string; articles: number }[];
  articleIds: number[];
  growth: number;
};

/** An article of a story. */
export type StoryArticle = {
  articleId: number;
  sourceId: string;
  sourceName: string;
  title: string;
  url: string;
  lang: string | null;
  publishedAt: string | null;
};

/** A page of stories. */
type StoryPage = { stories: Story[]; next: StoryCursor | null };

const DAY_S = 86_400;

/** Returns a page of stories. */
async function listStories(sql: Sql, query: StoryQuery): Promise<StoryPage> {
  const { from, to, minSize, sort, limit, after, lang } = query;
  const time = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;
  const inTime = sql`m.at >= ${time(from)} and m.at <= ${time(to)}`;
  // One article has no range of its own: those are found by the time of the article.
  const near =
    minSize > 1
      ? sql`s.size > 1 and tstzrange(s.first_seen, s.last_seen, '[]') && tstzrange(${time(from)}, ${time(to)}, '[]')`
      : sql`s.story_id in (select m.story_id from story_articles m where ${inTime})`;
  const inside = sql`s.first_seen >= ${time(from)} or s.last_seen <= ${time(to)}`;
  const has = sql`exists (
    select from story_articles m ${query.category === undefined && query.source === undefined ? sql`` : sql`join articles a using (article_id)`}
    where m.story_id = s.story_id and ${inTime} ${conditions(sql, query)})`;
  const isNarrowed =
    [query.category, query.source, query.entity].some((each) => each !== undefined) || query.words !== undefined;
  // A story that is all within the time has an article of each of its languages there: no article need be read.
  const whole = sql`s.first_seen >= ${time(from)} and s.last_seen <= ${time(to)}`;
  const inLanguage = lang === undefined ? sql`` : sql`and s.langs @> array[${lang}]::text[]`;
  const hasAny = lang === undefined ? sql`(${inside} or ${has})` : sql`(${whole} or ${has})`;
  const value = {
    size: sql`s.size::float8`,
    newest: sql`(extract(epoch from s.last_seen) * 1000)::float8`,
    growth: growth(sql, sql`s.story_id`, to),
  }[sort];
  const rows = await sql<{ storyId: number; value: number }[]>`
    select story_id as "storyId", value from (
      select s.story_id, ${value} as value from stories s
      where ${near} and s.size >= ${minSize} ${inLanguage} and ${isNarrowed ? has : hasAny}
    ) as asked
    ${after === undefined ? sql`` : sql`where (value, story_id) < (${after.value}::float8, ${after.storyId}::bigint)`}
    order by value desc, story_id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const stories = await storiesOf(
    sql,
    page.map(({ storyId }) => storyId),
    { lang, to },
  );
  return { stories, next: rows.length > limit && last !== undefined ? last : null };
}

/** Returns the conditions for an article beside its time. */
function conditions(sql: Sql, { lang, category, source, entity, words = [] }: StoryQuery) {
  const all = [
    lang === undefined ? sql`` : sql`and m.lang = ${lang}`,
    category === undefined ? sql`` : sql`and a.category_id = ${category}`,
    source === undefined ? sql`` : sql`and a.source_id = ${source}`,
    entity === undefined
      ? sql``
      : sql`and exists (
          select from article_entities e where e.article_id = m.article_id and e.entity_id = (
            select entity_id from (
              select 0 as rank, entity_id from entities where entity_id = ${entity.id ?? null}
              union all select 1, entity_id from entities where name_key = ${entity.key}
              union all select 2, entity_id from entity_aliases where name_key = ${entity.key}
            ) named order by rank limit 1))`,
    ...words.map((stems) => sql`and m.stems && ${[...stems]}::int[]`),
  ];
  return all.reduce((sum, each) => sql`${sum} ${each}`, sql``);
}

/** Counts how many more articles a story got in the day before a moment than in the day before that. */
function growth(sql: Sql, storyId: ReturnType<Sql>, to: number) {
  const before = (days: number) => sql`to_timestamp(${Math.min(to, Date.now()) / 1000 - days * DAY_S}::float8)`;
  return sql`(
    select (count(*) filter (where at > ${before(1)}) - count(*) filter (where at <= ${before(1)}))::float8
    from story_articles where story_id = ${storyId} and at > ${before(2)} and at <= ${before(0)})`;
}

/** Selects the title that an article has now. */
const titleOf = (sql: Sql, articleId: ReturnType<Sql>) =>
  sql`(select ${sql.unsafe(CURRENT_TITLE)} from ${sql.unsafe(CURRENT)} where a.article_id = ${articleId})`;

/** Sources and entities of a story that are shown, those with most articles. */
const MAX_SOURCES = 50;
const MAX_ENTITIES = 8;
/** Articles of a story that are counted for its entities, the newest. */
const MAX_COUNTED = 500;
/** Newest articles of a story that a list names. */
const NEWEST = 5;

/** Returns these stories in their order; `lang`: with the headline of that language, where there is one. */
async function storiesOf(
  sql: Sql,
  ids: readonly number[],
  { lang, to }: { lang?: string | undefined; to: number },
): Promise<Story[]> {
  if (ids.length === 0) return [];
  return await sql<Story[]>`
    select s.story_id as "storyId", coalesce(
        ${titleOf(sql, sql`(s.headlines ->> ${lang ?? ""})::bigint`)},
        ${titleOf(sql, sql`(s.headlines ->> coalesce(s.langs[1], ''))::bigint`)},
        newest.title) as title,
      s.langs as languages, ${sql.unsafe(iso("s.first_seen"))} as "firstSeen",
      ${sql.unsafe(iso("s.last_seen"))} as "lastSeen", s.size, coalesce(sources.list, '[]') as sources,
      coalesce(named.list, '[]') as entities, newest.ids as "articleIds", ${growth(sql, sql`s.story_id`, to)} as growth
    from unnest(${[...ids]}::bigint[]) with ordinality as i (story_id, place) join stories s using (story_id)
    cross join lateral (
      select array_agg(article_id order by at desc, article_id desc) as ids,
        (array_agg(title order by at desc, article_id desc))[1] as title
      from (
        select m.article_id, m.at, ${titleOf(sql, sql`m.article_id`)} as title from story_articles m
        where m.story_id = s.story_id order by m.at desc, m.article_id desc limit ${NEWEST}) as n
    ) as newest
    cross join lateral (
      select json_agg(json_build_object('sourceId', source_id, 'sourceName', name, 'count', count, 'firstAt', first_at)
        order by count desc, first_at, source_id) as list
      from (
        select a.source_id, coalesce(max(c.name), a.source_id) as name, count(*) as count,
          ${sql.unsafe(iso("min(m.at)"))} as first_at
        from story_articles m join articles a using (article_id) left join sources c on c.key = a.source_id
        where m.story_id = s.story_id group by a.source_id order by count(*) desc, min(m.at) limit ${MAX_SOURCES}) as n
    ) as sources
    cross join lateral (
      select json_agg(json_build_object('entityId', entity_id, 'name', name, 'articles', articles)
        order by articles desc, mentions desc, entity_id) as list
      from (
        select e.entity_id, e.name, count(distinct m.article_id) as articles, sum(n.mentions) as mentions
        from (
          select article_id from story_articles where story_id = s.story_id order by at desc limit ${MAX_COUNTED}
        ) as m join article_entities n using (article_id) join entities e using (entity_id)
        where not n.type = any(${NUMERIC})
        group by e.entity_id order by 3 desc, 4 desc, 1 limit ${MAX_ENTITIES}) as n
    ) as named
    order by i.place`;
}

/** A story with all its articles, the first one first; `mergedInto`: the story that the asked one was joined to. */
type WholeStory = Story & { mergedInto: number | null; articles: StoryArticle[] };

/** Articles of a story that are shown, the newest. */
const MAX_ARTICLES = 5_000;

/** Returns a story, or its successor where it was joined to another; undefined when there is none. */
async function getStory(
  sql: Sql,
  id: number,
  { lang }: { lang?: string | undefined } = {},
): Promise<WholeStory | undefined> {
  const [row] = await sql<{ storyId: number; mergedInto: number | null }[]>`
    select coalesce(merged_into, story_id) as "storyId", merged_into as "mergedInto" from stories where story_id = ${id}`;
  if (row === undefined) return undefined;
  const [[story], articles] = await Promise.all([
    storiesOf(sql, [row.storyId], { lang, to: Date.now() }),
    storyArticles(sql, row.storyId),
  ]);
  return story && { ...story, mergedInto: row.mergedInto, articles };
}

async function storyArticles(sql: Sql, storyId: number): Promise<StoryArticle[]> {
  return await sql<StoryArticle[]>`
    select a.article_id as "articleId", a.source_id as "sourceId", coalesce(c.name, a.source_id) as "sourceName",
      ${sql.unsafe(CURRENT_TITLE)} as title, a.url, a.lang, ${sql.unsafe(iso("a.published_at"))} as "publishedAt"
    from (
      select article_id, at from story_articles where story_id = ${storyId} order by at desc, article_id desc
      limit ${MAX_ARTICLES}
    ) as m join (${sql.unsafe(CURRENT)}) on a.article_id = m.article_id left join sources c on c.key = a.source_id
    order by m.at, m.article_id`;
}

/** Returns the story of an article with its articles, the first one first; undefined while it has none. */
async function storyOfArticle(
  sql: Sql,
  articleId: number,
): Promise<{ storyId: number; articles: StoryArticle[] } | undefined> {
  const [row] = await sql<{ storyId: number | null }[]>`
    select story_id as "storyId" from story_articles where article_id = ${articleId}`;
  const storyId = row?.storyId ?? null;
  return storyId === null ? undefined : { storyId, articles: await storyArticles(sql, storyId) };
}

/** Returns the stories of articles by their numbers; an article without one is left out. */
async function storyIdsOf(sql: Sql, articleIds: readonly number[]): Promise<Map<number, number>> {
  if (articleIds.length === 0) return new Map();
  const rows = await sql<{ articleId: number; storyId: number }[]>`
    select article_id as "articleId", story_id as "storyId" from story_articles
    where article_id = any(${[...articleIds]}::bigint[]) and story_id is not null`;
  return new Map(rows.map(({ articleId, storyId }) => [articleId, storyId]));
}

/** Articles of a story that a search is narrowed to, the newest. */
const MAX_KEYS = 50_000;

/** Returns the keys of the articles of a story, or of its successor, ascending. */
async function storyKeys(sql: Sql, id: number): Promise<number[]> {
  const rows = await sql<{ articleId: number; docId: string }[]>`
    select a.article_id as "articleId", a.doc_id as "docId" from (
      select article_id from story_articles
      where story_id = (select coalesce(merged_into, story_id) from stories where story_id = ${id})
      order by at desc limit ${MAX_KEYS}
    ) as m join articles a using (article_id) order by a.article_id`;
  return rows.map(({ articleId, docId }) => articleKey(articleId, docId));
}

/** Counts the stories of these articles, the one that most of them are of first, each with its headline. */
async function countStories(
  sql: Sql,
  articleIds: readonly number[],
  limit: number,
): Promise<{ storyId: number; title: string; count: number }[]> {
  if (articleIds.length === 0) return [];
  return await sql<{ storyId: number; title: string; count: number }[]>`
    with counted as (
      select story_id, count(*)::int as count, max(article_id) as newest from story_articles
      where article_id = any(${[...articleIds]}::bigint[]) and story_id is not null
      group by story_id order by count desc, story_id limit ${limit}
    )
    select story_id as "storyId", count,
      ${titleOf(sql, sql`coalesce((s.headlines ->> coalesce(s.langs[1], ''))::bigint, c.newest)`)} as title
    from counted c join stories s using (story_id) order by count desc, story_id`;
}

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
