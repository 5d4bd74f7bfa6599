import type { Sql, Tx } from "./client.ts";
import { articleKey } from "./log.ts";
import { modelNo } from "./models.ts";
import { noteEntities } from "./searches/matches.ts";
import { repeating, transaction } from "./transaction.ts";
import { jsonText, storableReal, storableText } from "./values.ts";
import { moveOn, type Step } from "./work.ts";
import { LIMITS } from "../contract/mod.ts";
import { at } from "../std/mod.ts";
import { codePointLength, nameSound, soundingAlike } from "../text/mod.ts";

/** New names are given their entities one transaction at a time, so that no thing gets two. */
const NAMES_LOCK = 4_922_051_775;

/** A name that is not known by its own key. */
type NewName = { name: string; key: string; aliases: string[]; kind: string | null; sound: string | null };

/**
 * The numbers of entities by the keys of their names, as storable text. A name is the entity that has its key, else one
 * of its aliases, else one of its kind whose name sounds the same in the other script; else it is a new one. What it
 * was found by is kept, so that it stays that entity.
 */
export async function resolveEntities(tx: Tx, names: readonly EntityName[]): Promise<Map<string, number>> {
  const fresh = new Map(names.toReversed().map((name) => [storableText(name.key), newName(name)]));
  const ids = await idsOf(tx, [...fresh.keys()]);
  for (const key of ids.keys()) fresh.delete(key);
  if (fresh.size === 0) return ids;
  await tx`select pg_advisory_xact_lock(${NAMES_LOCK})`;
  const idByKey = await idsOf(
    tx,
    [...fresh.values()].flatMap(({ key, aliases }) => [key, ...aliases]),
  );
  const alike = Map.groupBy(await soundingKeys(tx, [...fresh.values()]), soundKey);
  const made = madeNames();
  const same = new Map<string, string>();
  for (const name of [...fresh.values()].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const other = ownKey(name, idByKey, alike) ?? made.sameAs(name);
    if (other === undefined) made.add(name);
    else same.set(name.key, other);
  }
  for (const [key, id] of await insert(tx, made.names)) idByKey.set(key, id);
  const aliases: { key: string; id: number }[] = [];
  for (const { key, aliases: others } of fresh.values()) {
    const id = idByKey.get(same.get(key) ?? key);
    if (id === undefined) throw new Error("an entity that was just written is not there");
    ids.set(key, id);
    aliases.push(...[key, ...others].filter((each) => !idByKey.has(each)).map((each) => ({ key: each, id })));
  }
  await tx`
    insert into entity_aliases (name_key, entity_id)
    select distinct on (key) key, id from json_to_recordset(${jsonText(aliases)}::text::json) as a (key text, id bigint)
    order by key, id on conflict (name_key) do nothing`;
  return ids;
}

/** Tells whether a key is short enough to be asked for, and to be held by an index. */
function canBeName(key: string): boolean {
  return codePointLength(key) <= LIMITS.query;
}

function newName({ name, key, aliases = [], kind }: EntityName): NewName {
  const own = storableText(key);
  const isNamed = kind === "person" || kind === "place" || kind === "organisation";
  return {
    name: storableText(name),
    key: own,
    aliases: aliases.filter(canBeName).map(storableText),
    kind: kind ?? null,
    sound: (isNamed ? nameSound(own) : undefined) ?? null,
  };
}

/** The numbers of those of the keys that are names or aliases. */
async function idsOf(tx: Tx, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx<{ key: string; id: number }[]>`
    select name_key as key, entity_id as id from entities where name_key = any(${[...keys]}::text[])
    union all
    select name_key, entity_id from entity_aliases where name_key = any(${[...keys]}::text[])`;
  return new Map(rows.toReversed().map(({ key, id }) => [key, id]));
}

type Sounding = { key: string; id: number; sound: string; kind: string };

async function soundingKeys(tx: Tx, names: readonly NewName[]): Promise<Sounding[]> {
  const sounds = names.flatMap(({ sound }) => sound ?? []);
  return await tx<Sounding[]>`
    select name_key as key, entity_id as id, sound, kind from entities
    where sound = any(${sounds}::text[]) and kind is not null order by entity_id`;
}

/** Returns what names have in common that may be one in two scripts. */
function soundKey({ sound, kind }: Pick<NewName, "sound" | "kind">): string {
  return `${kind}\u0000${sound}`;
}

/** The key of the entity that a new name means; it is put among the known ones. */
function ownKey(
  name: NewName,
  known: Map<string, number>,
  alike: ReadonlyMap<string, readonly Sounding[]>,
): string | undefined {
  const own = [name.key, ...name.aliases].filter((key) => known.has(key));
  if (own.length > 0) return own.sort((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0))[0];
  const near = name.sound === null ? [] : (alike.get(soundKey(name)) ?? []);
  const key = soundingAlike(
    name.key,
    near.map((each) => each.key),
  );
  const id = near.find((each) => each.key === key)?.id;
  if (key !== undefined && id !== undefined) known.set(key, id);
  return key;
}

/** The names of a batch that become entities, in their order. */
function madeNames() {
  const names: NewName[] = [];
  /** The places in `names` that a key or an alias leads to first. */
  const places = new Map<string, number>();
  const sounding = new Map<string, string[]>();
  return {
    names,
    add(name: NewName): void {
      for (const key of [name.key, ...name.aliases]) if (!places.has(key)) places.set(key, names.length);
      names.push(name);
      if (name.sound === null) return;
      const near = sounding.get(soundKey(name)) ?? [];
      near.push(name.key);
      sounding.set(soundKey(name), near);
    },
    /** The key of the one that this name means, too. */
    sameAs(name: NewName): string | undefined {
      const matches = [name.key, ...name.aliases].flatMap((key) => places.get(key) ?? []);
      if (matches.length > 0) return at(names, Math.min(...matches)).key;
      return name.sound === null ? undefined : soundingAlike(name.key, sounding.get(soundKey(name)) ?? []);
    },
  };
}

async function insert(tx: Tx, names: readonly NewName[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await tx<{ key: string; id: number }[]>`
    insert into entities (name, name_key, kind, sound)
    select name, key, kind, sound
    from json_to_recordset(${jsonText(names)}::text::json) as n (name text, key text, kind text, sound text)
    on conflict (name_key) do update set name_key = excluded.name_key
    returning name_key as key, entity_id as id`;
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** Types of what is said with numbers: nobody and nothing that is talked about; left out unless asked for by name. */
export const NUMERIC = ["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "CURR", "QUANTITY", "UNIT"];

/**
 * Holds what an entity is called, and the folded name by which it is found again; `aliases` are folded names that mean
 * the same, `kind` is what sort of thing it is: names of one kind that sound the same in two scripts are one entity.
 */
export type EntityName = { name: string; key: string; aliases?: readonly string[]; kind?: string };

/**
 * An entity that was found in an article. `spans` holds start and end of each mention in the content, in turn, in code
 * points; `mentions` counts those in the title too.
 */
export type FoundEntity = EntityName & {
  type: string;
  mentions: number;
  confidence: number;
  spans: readonly number[];
};

/**
 * Says how often an entity is named, in how many articles; its name as most articles have it; its types, the one that
 * most mentions have first.
 */
type EntityCount = { entityId: number; name: string; types: string[]; mentions: number; articles: number };

/** Entities that are asked for; whatever is given must hold. */
type EntityQuery = {
  /** A part of the folded name. */
  key?: string | undefined;
  type?: string | undefined;
  /** Bounds of the publication times of the articles that are counted, inclusive; milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  limit: number;
};

/** Makes the statements over entities and the articles that name them. */
export function entityStore(sql: Sql) {
  return {
    put: (batch: readonly TaggedArticle[], options: { modelId: string; step?: Step | undefined }) =>
      putEntities(sql, batch, options),
    count: (query: EntityQuery) => repeating(() => countEntities(sql, query)),
    articlesNaming: (entity: { id?: number | undefined; key: string }, options: { limit: number }) =>
      repeating(() => articlesNaming(sql, entity, options)),
    mostNamed: (options: { among: number; limit: number }) => repeating(() => mostNamed(sql, options)),
  };
}

/**
 * Links the arguments of these articles' relations, where it is known where they stand, to the entity that the tagger
 * found inside of them: of several to the one with the longest name. Idempotent, so both sides call it: who stores
 * relations and who stores entities.
 */
export async function linkArguments(tx: Tx, articleIds: readonly number[]): Promise<void> {
  await tx`
    with mention as materialized (
      select m.article_id, m.entity_id, m.spans[i] as start, m.spans[i + 1] as "end"
      from article_entities m, generate_series(1, cardinality(m.spans), 2) as i
      where m.article_id = any(${[...articleIds]}::bigint[]) and m.tagged and not m.type = any(${NUMERIC})
    ), linked as (
      select r.relation_id, jsonb_object_agg(role, held.entity_id) filter (where held.entity_id is not null) as entities
      from relations r
      cross join lateral jsonb_each(r.meta -> 'spans') as argument (role, span)
      left join lateral (
        select entity_id from mention m
        where m.article_id = r.article_id and m.start >= (span ->> 0)::int and m."end" <= (span ->> 1)::int
        order by m."end" - m.start desc, m.start limit 1
      ) as held on true
      where r.article_id = any(${[...articleIds]}::bigint[]) and jsonb_typeof(r.meta -> 'spans') = 'object'
      group by r.relation_id
    )
    update relations r set meta = r.meta || jsonb_build_object('entities', coalesce(linked.entities, '{}'))
    from linked where r.relation_id = linked.relation_id`;
}

/** An article with everything that was found in it. */
export type TaggedArticle = { articleId: number; entities: readonly FoundEntity[] };

type Row = FoundEntity & { articleId: number };

/**
 * Replaces the entities that were found in these articles before, and ends their step: one idempotent
 * transaction. Names known already are the same entity everywhere; entities that came with relations
 * stay. That `modelId` found them is kept with each article. An article that was deleted meanwhile is
 * left out, and so is a name that is longer than one that can be asked for. Returns the ids that were written.
 */
async function putEntities(
  sql: Sql,
  batch: readonly TaggedArticle[],
  { modelId, step }: { modelId: string; step?: Step | undefined },
): Promise<number[]> {
  if (batch.length === 0) return [];
  const model = await modelNo(sql, modelId, "entity_models");
  const work = async (tx: Tx): Promise<number[]> => {
    const present = await tx<{ id: number }[]>`
      select article_id as id from articles where article_id = any(${batch.map(({ articleId }) => articleId)}::bigint[])
      order by article_id for key share`;
    const ids = present.map(({ id }) => id);
    const existing = new Set(ids);
    const rows = batch
      .filter(({ articleId }) => existing.has(articleId))
      .flatMap(({ articleId, entities }) =>
        entities.filter(({ key }) => canBeName(key)).map((entity) => ({ articleId, ...entity })),
      );
    const entities = await resolveEntities(tx, rows);
    // Sent together; Postgres runs them in this order.
    await Promise.all([
      removeFound(tx, ids),
      insertMentions(tx, byEntity(rows, entities)),
      keepModel(tx, ids, model),
      linkArguments(tx, ids),
      noteEntities(tx, ids),
      ...(step === undefined ? [] : [moveOn(tx, step, ids)]),
    ]);
    return ids;
  };
  return await transaction(sql, work, { repeatable: true });
}

async function removeFound(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`delete from article_entities where article_id = any(${[...ids]}::bigint[]) and tagged`;
}

async function keepModel(tx: Tx, ids: readonly number[], model: number): Promise<void> {
  await tx`
    insert into entity_finds (article_id, model_no) select id, ${model}::smallint from unnest(${[...ids]}::bigint[]) as id
    on conflict (article_id) do update set model_no = excluded.model_no where entity_finds.model_no <> excluded.model_no`;
}

type Mentions = Omit<FoundEntity, Exclude<keyof EntityName, "name">> & { articleId: number; entityId: number };

/**
 * Returns what was found under several names of an entity in one article, taken together by its type; the first name
 * stays.
 */
function byEntity(rows: readonly Row[], entities: ReadonlyMap<string, number>): Mentions[] {
  const merged = new Map<string, Mentions>();
  for (const { articleId, key, name, type, mentions, confidence, spans } of rows) {
    const entityId = entities.get(storableText(key));
    if (entityId === undefined) throw new Error("an entity that was just resolved has no number");
    const place = `${articleId} ${entityId} ${type}`;
    const same = merged.get(place);
    merged.set(place, {
      ...{ articleId, entityId, type, name: same?.name ?? storableText(name) },
      mentions: mentions + (same?.mentions ?? 0),
      confidence: storableReal(Math.max(confidence, same?.confidence ?? 0)),
      spans: [...(same?.spans ?? []), ...spans],
    });
  }
  return [...merged.values()];
}

async function insertMentions(tx: Tx, rows: readonly Mentions[]): Promise<void> {
  await tx`
    insert into article_entities (article_id, entity_id, type, mentions, confidence, spans, shown_name, tagged)
    select "articleId", "entityId", type, mentions, confidence, spans, nullif(i.name, e.name), true
    from json_to_recordset(${jsonText(rows)}::text::json) as i (
      "articleId" bigint, "entityId" bigint, type text, mentions integer, confidence real, spans integer[], name text)
    join entities e on e.entity_id = i."entityId"
    on conflict (article_id, entity_id, type) do update
    set mentions = excluded.mentions, confidence = excluded.confidence, spans = excluded.spans, shown_name = excluded.shown_name`;
}

/**
 * Returns the entities that are mentioned most, by their names, types and the times of the articles. Mentions are the
 * tagger's where it found the entity in an article, else those in its relations. An entity is called what most articles
 * of all times call it, of several the name that was seen first. Reads all mentions that the conditions leave, and all
 * of the entities that it returns.
 */
async function countEntities(sql: Sql, { key, type, from, to, limit }: EntityQuery): Promise<EntityCount[]> {
  const time = (ms: number) => sql`to_timestamp(${ms / 1000}::double precision)`;
  return await sql<EntityCount[]>`
    with named as materialized (
      select m.article_id, m.entity_id, m.type, m.mentions, m.tagged
      from article_entities m
      ${
        key === undefined
          ? sql``
          : sql`join (
        select entity_id from entities where position(${key} in name_key) > 0
        union select entity_id from entity_aliases where position(${key} in name_key) > 0
      ) e on e.entity_id = m.entity_id`
      }
      ${from === undefined && to === undefined ? sql`` : sql`join articles a on a.article_id = m.article_id`}
      where true
      ${from === undefined ? sql`` : sql`and a.published_at >= ${time(from)}`}
      ${to === undefined ? sql`` : sql`and a.published_at <= ${time(to)}`}
      ${type === undefined ? sql`and not m.type = any(${NUMERIC})` : sql`and m.type = ${type}`}
    ), by_article as (
      select entity_id,
        coalesce(sum(mentions) filter (where tagged), sum(mentions) filter (where not tagged)) as mentions
      from named group by entity_id, article_id
    ), top as (
      select entity_id, sum(mentions)::int as mentions, count(*)::int as articles
      from by_article group by entity_id order by mentions desc, articles desc, entity_id limit ${limit}
    ), types as (
      select entity_id, array_agg(type order by mentions desc, type) as types
      from (
        select entity_id, type, sum(n.mentions) as mentions
        from (select entity_id, type, mentions from named) n join top t using (entity_id) where type <> '' group by entity_id, type
      ) by_type group by entity_id
    ), names as (
      select distinct on (entity_id) entity_id, name
      from (
        select m.entity_id, coalesce(m.shown_name, e.name) as name, m.shown_name is null as is_first,
          count(distinct m.article_id) as articles
        from top join article_entities m using (entity_id) join entities e using (entity_id)
        group by 1, 2, 3
      ) used order by entity_id, articles desc, is_first desc, name
    )
    select entity_id as "entityId", name, coalesce(types, '{}') as types, mentions, articles
    from top join names using (entity_id) left join types using (entity_id)
    order by mentions desc, articles desc, entity_id`;
}

/** An entity by its number, with how it is shown, its folded name, and how many articles name it. */
type NamedEntity = { entityId: number; name: string; key: string; articles: number };

/**
 * Returns the entities that most of the last `among` articles name, most named first, `limit` at most: a range of the
 * primary key is read, whatever the size of the archive.
 */
async function mostNamed(sql: Sql, { among, limit }: { among: number; limit: number }): Promise<NamedEntity[]> {
  return await sql<NamedEntity[]>`
    with first as (
      select coalesce(min(article_id), 0) as article_id
      from (select article_id from articles order by article_id desc limit ${among}) as last
    ), named as (
      select m.entity_id, count(distinct m.article_id)::int as articles
      from article_entities m, first
      where m.article_id >= first.article_id and not m.type = any(${NUMERIC})
      group by m.entity_id order by articles desc, m.entity_id limit ${limit}
    )
    select entity_id as "entityId", name, name_key as key, articles
    from named join entities using (entity_id) order by articles desc, entity_id`;
}

/**
 * The keys of the articles in which an entity is named, the last `limit` that came, ascending. The entity is the one
 * of the number, where there is such a one, else the one of the folded name or alias.
 */
async function articlesNaming(
  sql: Sql,
  { id, key }: { id?: number | undefined; key: string },
  { limit }: { limit: number },
): Promise<number[]> {
  const rows = await sql<{ articleId: number; docId: string }[]>`
    with entity as (
      select entity_id from (
        select 0 as rank, entity_id from entities where entity_id = ${id ?? null}
        union all select 1, entity_id from entities where name_key = ${key}
        union all select 2, entity_id from entity_aliases where name_key = ${key}
      ) named order by rank limit 1
    )
    select a.article_id as "articleId", a.doc_id as "docId"
    from (
      select distinct article_id from article_entities where entity_id = (select entity_id from entity)
      order by article_id desc limit ${limit}
    ) as named join articles a using (article_id) order by a.article_id`;
  return rows.map(({ articleId, docId }) => articleKey(articleId, docId));
}
