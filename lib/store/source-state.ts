import type { Sql } from "./client.ts";
import { iso } from "./articles/columns.ts";
import { getSource, type Source } from "./sources.ts";
import { transaction } from "./transaction.ts";

/** Days over which articles a day are counted. */
const RATE_DAYS = 7;
const DAY_MS = 86_400_000;

/** The last time that somebody fetched a source: a pull of the workers, or a run of the scraper. */
export type LastPull = { runId: string; by: "workers" | "scraper"; status: string; at: string; error: string | null };

/** A source with what came of it lately. */
export type SourceOverview = Source & {
  lastPull: LastPull | null;
  lastArticle: { articleId: number; at: string } | null;
  /** Of the last seven days, or of those since it was registered. */
  articlesPerDay: number;
};

/** Which sources to show: those after a key, or one. */
export type OverviewQuery = { after?: string | undefined; key?: string | undefined; limit: number };

/** Returns sources by key with their last pull, last article and articles a day. */
export async function sourceOverviews(
  sql: Sql,
  { after, key, limit }: OverviewQuery,
  now: number = Date.now(),
): Promise<SourceOverview[]> {
  const since = now - RATE_DAYS * DAY_MS;
  const rows = await sql<
    (Source & { lastPull: LastPull | null; last: SourceOverview["lastArticle"]; lately: number })[]
  >`
    with first as materialized (
      select (select article_id from articles where doc_id >= ${earliestUuid(since)}::uuid order by doc_id limit 1) as id
    )
    select s.key, s.provider, s.name, s.feed_url as "feedUrl", s.homepage, s.language, s.tier, s.active,
      ${sql.unsafe(`${iso("s.off_since")} as "offSince", ${iso("s.created_at")} as "createdAt", ${iso("s.updated_at")} as "updatedAt"`)},
      l.last, coalesce(n.lately, 0)::int as lately,
      case when p.at >= coalesce(r.at, p.at) then p.pull else coalesce(r.pull, p.pull) end as "lastPull"
    from sources s cross join first
      left join lateral (
        select jsonb_build_object('articleId', article_id, 'at', ${sql.unsafe(iso("created_at"))}) as last
        from articles a where a.source_id = s.key order by article_id desc limit 1
      ) l on true
      left join lateral (
        select count(*) as lately from articles a where a.source_id = s.key and a.article_id >= first.id
      ) n on true
      left join lateral (
        select created_at as at, jsonb_build_object('runId', run_id, 'by', 'workers', 'status', status,
          'at', ${sql.unsafe(iso("created_at"))}, 'error', error) as pull
        from pull_runs w where w.source_key = s.key order by created_at desc limit 1
      ) p on true
      left join lateral (
        select created_at as at, jsonb_build_object('runId', run_id, 'by', 'scraper', 'status', status,
          'at', ${sql.unsafe(iso("created_at"))}, 'error', error) as pull
        from scraper_runs w where w.source_key = s.key order by run_id desc limit 1
      ) r on true
    where ${key === undefined ? sql`true` : sql`s.key = ${key}`}
      and ${after === undefined ? sql`true` : sql`s.key > ${after}`}
    order by s.key limit ${limit}`;
  return rows.map(({ last, lately, ...source }) => {
    const days = Math.min(RATE_DAYS, Math.max(1, (now - Date.parse(source.createdAt)) / DAY_MS));
    return { ...source, lastArticle: last, articlesPerDay: Math.round((lately / days) * 10) / 10 };
  });
}

/** Returns the least UUID of version 7 that is of a time, in milliseconds since 1970. */
function earliestUuid(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/**
 * Switches a source on or off. Off, it is neither pulled nor scheduled, and what waits of it is dropped. Returns it as
 * it is now, undefined where there is none.
 */
export async function switchSource(sql: Sql, key: string, active: boolean): Promise<Source | undefined> {
  return await transaction(
    sql,
    async (tx) => {
      const { count } = await tx`
        update sources set active = ${active}, updated_at = now(),
          off_since = ${active ? tx`null` : tx`coalesce(off_since, now())`}
        where key = ${key}`;
      if (count === 0) return undefined;
      if (active) await tx`delete from removed_sources where key = ${key}`;
      else await tx`delete from pull_runs where source_key = ${key} and status = 'queued'`;
      return await getSource(tx, key);
    },
    { repeatable: true },
  );
}

/**
 * Removes a source; its articles stay. It is not scheduled again until somebody registers it anew. False where there is
 * none.
 */
export async function removeSource(sql: Sql, key: string): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    const { count } = await tx`delete from sources where key = ${key}`;
    if (count === 0) return false;
    await tx`delete from pull_runs where source_key = ${key} and status = 'queued'`;
    await tx`insert into removed_sources (key) values (${key}) on conflict (key) do update set removed_at = now()`;
    return true;
  });
}

/** Says how a source went out of use. */
export type OffState = "switched off" | "removed";

/** Returns the sources that somebody switched off or removed, by key. */
export async function sourcesOff(sql: Sql): Promise<Map<string, OffState>> {
  const rows = await sql<{ key: string; state: OffState }[]>`
    select key, 'switched off' as state from sources where off_since is not null
    union all select key, 'removed' from removed_sources`;
  return new Map(rows.map(({ key, state }) => [key, state]));
}
