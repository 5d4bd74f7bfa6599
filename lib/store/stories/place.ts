import type { Sql, Tx } from "../client.ts";
import { CURRENT, CURRENT_TITLE } from "../copies.ts";
import { type NewEvent, writeEvents } from "../outbox.ts";
import { transaction } from "../transaction.ts";
import { jsonText } from "../values.ts";
import { moveOn, type Step } from "../work.ts";
import { type StoryCandidate, storyCandidates, type StoryReport } from "./reports.ts";

/** A pair of articles with the logarithm of the odds that both tell of one event. */
export type StoryLink = { a: number; b: number; weight: number };

/** An article among those that may be parted again. */
type StoryMember = { id: number; at: number };

/** Tells stories apart by pure functions, which are called within the transaction. */
export type StoryRules = {
  /** Their version, kept with each article. */
  version: number;
  /** Returns the links between articles and their candidates that are to be kept. */
  weigh(reports: readonly StoryReport[], candidates: readonly StoryCandidate[]): StoryLink[];
  /** Parts articles into stories. */
  part(members: readonly StoryMember[], links: readonly StoryLink[]): StoryMember[][];
};

/** Counts of a batch. */
type Placed = { placed: number; created: number; merged: number; moved: number };

/** One at a time tells stories apart; the same number as in the trigger of migration 0095. */
const STORIES_LOCK = 4_922_051_780;

/**
 * Takes the lock of all that tell stories apart until the transaction ends. Articles are locked before it, rows of
 * stories after it.
 */
export async function lockStories(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${STORIES_LOCK})`;
}

/** Articles that are parted again at a time; of a longer story the nearest in time. */
const MAX_MEMBERS = 300;

/**
 * Puts articles into stories and ends their step, in one transaction: finds those that they are alike, parts again all
 * articles of the stories that these belong to, and gives each part the number of the story that most of it is from.
 * Stories that lost all articles name the one that most of them went to. Idempotent; an article that was deleted
 * meanwhile is left out.
 */
export async function placeInStories(
  sql: Sql,
  batch: readonly StoryReport[],
  rules: StoryRules,
  step?: Step,
): Promise<Placed> {
  if (batch.length === 0) return { placed: 0, created: 0, merged: 0, moved: 0 };
  return await transaction(sql, (tx) => place(tx, batch, rules, step), { repeatable: true });
}

async function place(tx: Tx, batch: readonly StoryReport[], rules: StoryRules, step?: Step): Promise<Placed> {
  const ids = batch.map(({ articleId }) => articleId);
  const present = await tx<{ id: number }[]>`
    select article_id as id from articles where article_id = any(${ids}::bigint[]) and state = 'indexed'
    order by article_id for key share`;
  await lockStories(tx);
  const existing = new Set(present.map(({ id }) => id));
  const reports = batch.filter(({ articleId }) => existing.has(articleId));
  if (reports.length === 0) return { placed: 0, created: 0, merged: 0, moved: 0 };
  await putReports(tx, reports, rules.version);
  const links = rules.weigh(reports, await storyCandidates(tx, reports, rules.version));
  await putLinks(tx, reports, links);
  const members = await membersNear(tx, reports, links);
  const among = await linksAmong(tx, members);
  const parts = rules.part(members, among);
  const { homes, created } = await settleHomes(tx, parts, members);
  const moves = members.flatMap(({ id, storyId }) => {
    const home = homes.get(id);
    return home === undefined || home === storyId ? [] : [{ id, from: storyId, to: home }];
  });
  await tx`
    update story_articles s set story_id = m.story_id
    from unnest(${moves.map(({ id }) => id)}::bigint[], ${moves.map(({ to }) => to)}::bigint[]) as m (id, story_id)
    where s.article_id = m.id`;
  const touched = new Set([...moves.flatMap(({ from, to }) => [from ?? to, to]), ...reportHomes(reports, homes)]);
  const successors = successorsOf(moves);
  const changes = await refresh(tx, touched, successors);
  await putHeadlines(tx, parts, homes, among, touched);
  await announce(tx, touched, new Set(moves.flatMap(({ from, to }) => (from === null ? [to] : [from, to]))));
  if (step !== undefined) await moveOn(tx, step, [...existing]);
  return { placed: reports.length, created, merged: changes.merged, moved: moves.length };
}

const reportHomes = (reports: readonly StoryReport[], homes: ReadonlyMap<number, number>): number[] =>
  reports.flatMap(({ articleId }) => homes.get(articleId) ?? []);

/** Stores what articles are compared by, in the place of what was stored of them. */
async function putReports(tx: Tx, reports: readonly StoryReport[], version: number): Promise<void> {
  const ids = reports.map(({ articleId }) => articleId);
  await tx`
    delete from story_keys k using (
      select unnest(keys) as key, at, article_id from story_articles where article_id = any(${ids}::bigint[])
    ) as old
    where (k.key, k.at, k.article_id) = (old.key, old.at, old.article_id)`;
  const rows = reports.map(({ articleId, lang, at, keys, stems, traits }) => ({
    ...{
      articleId,
      lang,
      at,
      keys: `{${keys.join(",")}}`,
      stems: `{${stems.join(",")}}`,
      traits: traits.toString("hex"),
    },
  }));
  await tx`
    with put as (
      insert into story_articles (article_id, at, lang, version, stems, keys, traits)
      select "articleId", to_timestamp(at / 1000), lang, ${version}, stems::int[], keys::int[], decode(traits, 'hex')
      from json_to_recordset(${jsonText(rows)}::text::json) as i (
        "articleId" bigint, at float8, lang text, stems text, keys text, traits text)
      order by 1
      on conflict (article_id) do update set (at, lang, version, stems, keys, traits) =
        (excluded.at, excluded.lang, excluded.version, excluded.stems, excluded.keys, excluded.traits)
      returning article_id, at, keys
    )
    insert into story_keys (key, at, article_id)
    select distinct unnest(keys), at, article_id from put order by 1 on conflict do nothing`;
}

async function putLinks(tx: Tx, reports: readonly StoryReport[], links: readonly StoryLink[]): Promise<void> {
  const ids = reports.map(({ articleId }) => articleId);
  await tx`delete from story_links where article_id = any(${ids}::bigint[])`;
  await tx`delete from story_links where other_id = any(${ids}::bigint[])`;
  const pairs = new Map(links.map(({ a, b, weight }) => [`${Math.min(a, b)} ${Math.max(a, b)}`, { a, b, weight }]));
  const rows = [...pairs.values()];
  if (rows.length === 0) return;
  await tx`
    insert into story_links (article_id, other_id, weight)
    select * from unnest(${rows.map(({ a, b }) => Math.min(a, b))}::bigint[],
      ${rows.map(({ a, b }) => Math.max(a, b))}::bigint[], ${rows.map(({ weight }) => weight)}::real[])
    on conflict (article_id, other_id) do update set weight = excluded.weight`;
}

type Located = StoryMember & { storyId: number | null };

/** Returns the articles of a batch with all of the stories that they may belong to. */
async function membersNear(tx: Tx, reports: readonly StoryReport[], links: readonly StoryLink[]): Promise<Located[]> {
  const ids = [...new Set([...reports.map(({ articleId }) => articleId), ...links.flatMap(({ a, b }) => [a, b])])];
  const times = reports.map(({ at }) => at);
  const middle = (Math.min(...times) + Math.max(...times)) / 2;
  return await tx<Located[]>`
    with touched as (select distinct story_id from story_articles where article_id = any(${ids}::bigint[]))
    select id, at, "storyId" from (
      select article_id as id, floor(extract(epoch from at) * 1000)::float8 as at, story_id as "storyId",
        row_number() over (partition by story_id order by abs(extract(epoch from at) - ${middle / 1000}), article_id) as place
      from story_articles where story_id in (select story_id from touched where story_id is not null)
    ) as near where place <= ${MAX_MEMBERS} or id = any(${ids}::bigint[])
    union
    select article_id, floor(extract(epoch from at) * 1000)::float8, story_id
    from story_articles where article_id = any(${ids}::bigint[])`;
}

async function linksAmong(tx: Tx, members: readonly Located[]): Promise<StoryLink[]> {
  const ids = members.map(({ id }) => id);
  return await tx<StoryLink[]>`
    select article_id as a, other_id as b, weight from story_links
    where article_id = any(${ids}::bigint[]) and other_id = any(${ids}::bigint[])`;
}

/** Returns the story of each member: that which most of its part is from, else a new one. */
async function settleHomes(
  tx: Tx,
  parts: readonly StoryMember[][],
  members: readonly Located[],
): Promise<{ homes: Map<number, number>; created: number }> {
  const storyOf = new Map(members.map(({ id, storyId }) => [id, storyId]));
  const claims = parts.flatMap((part, place) => {
    const shares = new Map<number, number>();
    for (const { id } of part) {
      const story = storyOf.get(id);
      if (story != null) shares.set(story, (shares.get(story) ?? 0) + 1);
    }
    return [...shares].map(([story, share]) => ({ place, story, share }));
  });
  claims.sort((x, y) => y.share - x.share || x.story - y.story || x.place - y.place);
  const storyAt = new Map<number, number>();
  const taken = new Set<number>();
  for (const { place, story } of claims) {
    if (storyAt.has(place) || taken.has(story)) continue;
    storyAt.set(place, story);
    taken.add(story);
  }
  const without = parts.flatMap((_, place) => (storyAt.has(place) ? [] : [place]));
  const fresh = await tx<{ id: number }[]>`
    insert into stories (size) select 0 from generate_series(1, ${without.length}) returning story_id as id`;
  for (const [i, place] of without.entries()) {
    const id = fresh[i]?.id;
    if (id !== undefined) storyAt.set(place, id);
  }
  const homes = new Map<number, number>();
  for (const [place, part] of parts.entries()) {
    const story = storyAt.get(place);
    if (story !== undefined) for (const { id } of part) homes.set(id, story);
  }
  return { homes, created: without.length };
}

type Move = { id: number; from: number | null; to: number };

/** Returns for each story that articles left the one that most of them went to. */
function successorsOf(moves: readonly Move[]): Map<number, number> {
  const counts = new Map<number, Map<number, number>>();
  for (const { from, to } of moves) {
    if (from === null) continue;
    const targets = counts.get(from) ?? new Map<number, number>();
    targets.set(to, (targets.get(to) ?? 0) + 1);
    counts.set(from, targets);
  }
  const successors = new Map<number, number>();
  for (const [from, targets] of counts) {
    const [best] = [...targets].sort(([a, x], [b, y]) => y - x || a - b);
    if (best !== undefined) successors.set(from, best[0]);
  }
  return successors;
}

/** Counts the articles of stories again; one without any names its successor. */
async function refresh(
  tx: Tx,
  touched: ReadonlySet<number>,
  successors: ReadonlyMap<number, number>,
): Promise<{ merged: number }> {
  await tx`
    update stories s set size = n.size, first_seen = n.first_seen, last_seen = n.last_seen, langs = n.langs
    from (
      select t.story_id, coalesce(sum(n), 0)::int as size, min(first_seen) as first_seen, max(last_seen) as last_seen,
        coalesce(array_agg(lang order by n desc, lang) filter (where lang is not null), '{}') as langs
      from unnest(${[...touched]}::bigint[]) as t (story_id) left join (
        select story_id, lang, count(*) as n, min(at) as first_seen, max(at) as last_seen from story_articles
        where story_id = any(${[...touched]}::bigint[]) group by 1, 2
      ) as m using (story_id) group by t.story_id
    ) as n where s.story_id = n.story_id`;
  const pairs = [...successors];
  const merged = await tx<{ id: number }[]>`
    update stories s set merged_into = m.successor, headlines = '{}'
    from unnest(${pairs.map(([from]) => from)}::bigint[], ${pairs.map(([, to]) => to)}::bigint[]) as m (story, successor)
    where s.story_id = m.story and s.size = 0 returning s.story_id as id`;
  if (merged.length > 0) {
    // Nobody has to follow a chain of successors.
    await tx`
      update stories s set merged_into = n.merged_into from stories n
      where s.merged_into = n.story_id and n.merged_into is not null`;
  }
  return { merged: merged.length };
}

/** Stores the most central headline of each language, that of the article with the heaviest links. */
async function putHeadlines(
  tx: Tx,
  parts: readonly StoryMember[][],
  homes: ReadonlyMap<number, number>,
  links: readonly StoryLink[],
  touched: ReadonlySet<number>,
): Promise<void> {
  const weights = new Map<number, number>();
  for (const { a, b, weight } of links) {
    if (weight <= 0 || homes.get(a) !== homes.get(b)) continue;
    weights.set(a, (weights.get(a) ?? 0) + weight);
    weights.set(b, (weights.get(b) ?? 0) + weight);
  }
  const rows = parts.flatMap((part) =>
    part.flatMap(({ id }) => {
      const story = homes.get(id);
      return story === undefined || !touched.has(story) ? [] : [{ id, story, weight: weights.get(id) ?? 0 }];
    }),
  );
  await tx`
    update stories s set headlines = h.headlines
    from (
      select story, jsonb_object_agg(lang, id) as headlines from (
        select distinct on (r.story, coalesce(a.lang, '')) r.story, coalesce(a.lang, '') as lang, r.id
        from unnest(${rows.map((r) => r.id)}::bigint[], ${rows.map((r) => r.story)}::bigint[],
          ${rows.map((r) => r.weight)}::float8[]) as r (id, story, weight)
        join story_articles a on a.article_id = r.id
        order by r.story, coalesce(a.lang, ''), r.weight desc, a.at, r.id
      ) as best group by story
    ) as h where s.story_id = h.story`;
}

type Announced = {
  storyId: number;
  mergedInto: number | null;
  size: number;
  announced: boolean;
  changed: boolean;
  title: string | null;
  langs: string[];
};

/** Writes the events of stories of two articles and more that began, changed, or were joined to another. */
async function announce(tx: Tx, touched: ReadonlySet<number>, changed: ReadonlySet<number>): Promise<void> {
  const rows = await tx<Announced[]>`
    select s.story_id as "storyId", s.merged_into as "mergedInto", s.size, s.announced, s.changed, s.langs,
      ${tx.unsafe(CURRENT_TITLE)} as title
    from stories s left join (${tx.unsafe(CURRENT)}) on a.article_id = (s.headlines ->> coalesce(s.langs[1], ''))::bigint
    where s.story_id = any(${[...touched]}::bigint[]) and (s.announced or s.size > 1) order by s.story_id`;
  const events = rows.flatMap((row): NewEvent[] => {
    const subject = { kind: "story", id: row.storyId };
    const story = { story_id: row.storyId, title: row.title, size: row.size, languages: row.langs };
    if (row.mergedInto !== null)
      return [{ type: "story.merged", subject, data: { story_id: row.storyId, merged_into: row.mergedInto } }];
    if (!row.announced) return [{ type: "story.created", subject, data: { story } }];
    return row.changed || changed.has(row.storyId) ? [{ type: "story.updated", subject, data: { story } }] : [];
  });
  await tx`
    update stories set announced = merged_into is null, changed = false
    where story_id = any(${rows.map(({ storyId }) => storyId)}::bigint[])
      and (changed or announced is distinct from (merged_into is null))`;
  await writeEvents(tx, events);
}
