import type { SourceVolumeState } from "../contract/mod.ts";
import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { repeating, transaction } from "./transaction.ts";
import { jsonText } from "./values.ts";

/** Makes the statements over sources as their files describe them. */
export function sourceStore(sql: Sql) {
  return {
    list: () => repeating(() => listSources(sql)),
    get: (key: string) => repeating(() => getSource(sql, key)),
    /** Makes a source; false where there is one of its key, which stays as it is. */
    create: async (input: SourceInput) => (await storeSources(sql, [input], { isNew: true })).length > 0,
    upsert: (inputs: readonly SourceInput[]) => repeating(() => storeSources(sql, inputs)),
    update: (input: SourceInput) => repeating(() => updateSource(sql, input)),
    retire: (keys: readonly string[]) => retireSources(sql, keys),
  };
}

/** Makes the statements over what becomes of sources. */
export function sourceStateStore(sql: Sql) {
  return {
    overviews: (query: OverviewQuery) => repeating(() => sourceOverviews(sql, query)),
    switch: (key: string, active: boolean) => switchSource(sql, key, active),
    remove: (key: string) => removeSource(sql, key),
    off: () => repeating(() => sourcesOff(sql)),
  };
}

/** A source of articles. `tier` is 1 (most trusted) to 3; times are ISO 8601 in UTC. */
export type Source = {
  key: string;
  provider: string | null;
  name: string;
  feedUrl: string | null;
  homepage: string | null;
  language: string | null;
  tier: number;
  active: boolean;
  /** Since when somebody has switched it off. */
  offSince: string | null;
  createdAt: string;
  updatedAt: string;
};

/**
 * Holds what a caller may say of a source; what is left out keeps its value, or gets the default when the source is
 * new.
 */
export type SourceInput = { key: string } & Partial<Omit<Source, "key" | "offSince" | "createdAt" | "updatedAt">>;

function fields(sql: Sql | Tx) {
  return sql.unsafe(`key, provider, name, feed_url as "feedUrl", homepage, language, tier, active, ${iso("off_since")} as "offSince",
    ${iso("created_at")} as "createdAt", ${iso("updated_at")} as "updatedAt"`);
}

/** Every source, by key. */
async function listSources(sql: Sql): Promise<Source[]> {
  return await sql<Source[]>`select ${fields(sql)} from sources order by key`;
}

/** The source of this key, undefined when there is none. */
async function getSource(sql: Sql | Tx, key: string): Promise<Source | undefined> {
  const [source] = await sql<Source[]>`select ${fields(sql)} from sources where key = ${key}`;
  return source;
}

/**
 * Makes or changes sources, with `isNew` makes alone, all in one statement. Returns what it stored, as it is now. Keys
 * must be distinct. One that is made active is off no more, and one that was removed may come back.
 */
async function storeSources(
  sql: Sql,
  inputs: readonly SourceInput[],
  { isNew = false }: { isNew?: boolean } = {},
): Promise<Source[]> {
  if (inputs.length === 0) return [];
  const rows = jsonText([...inputs].sort((a, b) => (a.key < b.key ? -1 : 1)));
  const stored = await sql<Source[]>`
    with back as (
      delete from removed_sources where key in (select key from json_to_recordset(${rows}::text::json) as i (key text))
    )
    insert into sources as s (key, provider, name, feed_url, homepage, language, tier, active)
    select key, provider, coalesce(name, key), "feedUrl", homepage, language, coalesce(tier, 3), coalesce(active, true)
    from json_to_recordset(${rows}::text::json) as i (
      key text, provider text, name text, "feedUrl" text, homepage text, language text, tier smallint, active boolean)
    on conflict (key) do ${isNew ? sql`nothing` : sql`update ${assigned(sql, rows)}`}
    returning ${fields(sql)}`;
  return [...stored].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns what sources, as `s`, are set to by a JSON text of inputs: what these leave out stays. */
function assigned(sql: Sql, inputs: string) {
  return sql`set
      (provider, name, feed_url, homepage, language, tier, active, off_since, updated_at) = (
        select coalesce(i.provider, s.provider), coalesce(i.name, s.name), coalesce(i."feedUrl", s.feed_url),
          coalesce(i.homepage, s.homepage), coalesce(i.language, s.language), coalesce(i.tier, s.tier),
          coalesce(i.active, s.active), case when i.active then null else s.off_since end, now()
        from json_to_recordset(${inputs}::text::json) as i (
          key text, provider text, name text, "feedUrl" text, homepage text, language text, tier smallint, active boolean)
        where i.key = s.key)`;
}

/** Changes a source; false where there is none of its key, which is not made. */
async function updateSource(sql: Sql, input: SourceInput): Promise<boolean> {
  const { count } = await sql`update sources as s ${assigned(sql, jsonText([input]))} where s.key = ${input.key}`;
  return count > 0;
}

/**
 * Takes sources out of use: one without articles is deleted, one that has some is made inactive, so that its articles
 * keep its name and tier. Returns the keys by what became of them.
 */
async function retireSources(sql: Sql, keys: readonly string[]): Promise<{ removed: string[]; deactivated: string[] }> {
  return await transaction(sql, async (tx) => {
    const removed = await tx<{ key: string }[]>`
      delete from sources s where key = any(${[...keys]}::text[])
        and not exists (select from article_pairs p where p.source_id = s.key)
      returning key`;
    const deactivated = await tx<{ key: string }[]>`
      update sources set active = false, updated_at = now() where key = any(${[...keys]}::text[]) and active
      returning key`;
    return { removed: removed.map(({ key }) => key).sort(), deactivated: deactivated.map(({ key }) => key).sort() };
  });
}

/** Days over which articles a day are counted. */
const RATE_DAYS = 7;
const DAY_MS = 86_400_000;

/** The last time that somebody fetched a source: a pull of the workers, or a run of the scraper. */
type LastPull = { runId: string; by: "workers" | "scraper"; status: string; at: string; error: string | null };

/** A source with what came of it lately. */
export type SourceOverview = Source & {
  lastPull: LastPull | null;
  lastArticle: { articleId: number; at: string } | null;
  /** Of the last seven days, or of those since it was registered. */
  articlesPerDay: number;
  /** The last day against the usual ones; null where none of its articles was counted yet. */
  volume: { state: SourceVolumeState; since: string | null; lastDay: number; usual: number | null } | null;
};

/** Says which sources to show: those after a key, or one. */
type OverviewQuery = { after?: string | undefined; key?: string | undefined; limit: number };

/** Returns sources by key with their last pull, last article and articles a day. */
async function sourceOverviews(sql: Sql, { after, key, limit }: OverviewQuery): Promise<SourceOverview[]> {
  const now = Date.now();
  const since = now - RATE_DAYS * DAY_MS;
  const rows = await sql<
    (Source & Pick<SourceOverview, "lastPull" | "volume"> & { last: SourceOverview["lastArticle"]; lately: number })[]
  >`
    with first as materialized (
      select (select article_id from articles where doc_id >= ${earliestUuid(since)}::uuid order by doc_id limit 1) as id
    )
    select s.key, s.provider, s.name, s.feed_url as "feedUrl", s.homepage, s.language, s.tier, s.active,
      ${sql.unsafe(`${iso("s.off_since")} as "offSince", ${iso("s.created_at")} as "createdAt", ${iso("s.updated_at")} as "updatedAt"`)},
      l.last, coalesce(n.lately, 0)::int as lately,
      case when p.at >= coalesce(r.at, p.at) then p.pull else coalesce(r.pull, p.pull) end as "lastPull", v.volume
    from sources s cross join first
      left join lateral (
        select jsonb_build_object('state', state, 'since', ${sql.unsafe(iso("since"))}, 'lastDay', last_day,
          'usual', usual) as volume
        from source_volumes where source_key = s.key
      ) v on true
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
export function earliestUuid(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/**
 * Switches a source on or off. Off, it is neither pulled nor scheduled, and what waits of it is dropped. Returns it as
 * it is now, undefined where there is none.
 */
async function switchSource(sql: Sql, key: string, active: boolean): Promise<Source | undefined> {
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
 * Removes a source; its articles stay. It is not scheduled again until somebody registers it again. False where there
 * is none.
 */
async function removeSource(sql: Sql, key: string): Promise<boolean> {
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
async function sourcesOff(sql: Sql): Promise<Map<string, OffState>> {
  const rows = await sql<{ key: string; state: OffState }[]>`
    select key, 'switched off' as state from sources where off_since is not null
    union all select key, 'removed' from removed_sources`;
  return new Map(rows.map(({ key, state }) => [key, state]));
}
