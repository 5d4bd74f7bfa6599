import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { jsonText } from "./json.ts";
import { transaction } from "./transaction.ts";

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

/** What a caller may say of a source; what is left out keeps its value, or gets the default when the source is new. */
export type SourceInput = { key: string } & Partial<Omit<Source, "key" | "offSince" | "createdAt" | "updatedAt">>;

function fields(sql: Sql | Tx) {
  return sql.unsafe(`key, provider, name, feed_url as "feedUrl", homepage, language, tier, active, ${iso("off_since")} as "offSince",
    ${iso("created_at")} as "createdAt", ${iso("updated_at")} as "updatedAt"`);
}

/** Every source, by key. */
export async function listSources(sql: Sql): Promise<Source[]> {
  return await sql<Source[]>`select ${fields(sql)} from sources order by key`;
}

/** The source of this key, undefined when there is none. */
export async function getSource(sql: Sql | Tx, key: string): Promise<Source | undefined> {
  const [source] = await sql<Source[]>`select ${fields(sql)} from sources where key = ${key}`;
  return source;
}

/**
 * Makes or changes sources, all in one statement. Returns them as they are now. Keys must be distinct. One that is made
 * active is off no more, and one that was removed may come back.
 */
export async function upsertSources(sql: Sql, inputs: readonly SourceInput[]): Promise<Source[]> {
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
    on conflict (key) do update set
      (provider, name, feed_url, homepage, language, tier, active, off_since, updated_at) = (
        select coalesce(i.provider, s.provider), coalesce(i.name, s.name), coalesce(i."feedUrl", s.feed_url),
          coalesce(i.homepage, s.homepage), coalesce(i.language, s.language), coalesce(i.tier, s.tier),
          coalesce(i.active, s.active), case when i.active then null else s.off_since end, now()
        from json_to_recordset(${rows}::text::json) as i (
          key text, provider text, name text, "feedUrl" text, homepage text, language text, tier smallint, active boolean)
        where i.key = s.key)
    returning ${fields(sql)}`;
  return [...stored].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Deletes the sources of these keys, leaving their articles. Returns the keys that were there. */
export async function removeSources(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    delete from sources where key = any(${[...keys]}::text[]) returning key`;
  return rows.map((row) => row.key).sort();
}

/**
 * Takes sources out of use: one without articles is deleted, one that has some is made inactive, so that its articles
 * keep its name and tier. Returns the keys by what became of them.
 */
export async function retireSources(
  sql: Sql,
  keys: readonly string[],
): Promise<{ removed: string[]; deactivated: string[] }> {
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
