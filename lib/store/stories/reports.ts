import type { Sql, Tx } from "../client.ts";
import { unpackVector } from "../chunks.ts";
import { CURRENT, CURRENT_TITLE } from "../copies.ts";
import { NUMERIC } from "../entities.ts";

/** An article as it is told apart from others: what its source says now, who and what it names, its passages. */
export type StoryText = {
  articleId: number;
  sourceId: string;
  title: string;
  content: string;
  /** Its text when it was read for names and passages, where its source has another one now. */
  before?: string | null;
  lang: string | null;
  /** Its time of publication, else when it came; milliseconds since 1970. */
  at: number;
  entities: { entityId: number; name: string; mentions: number }[];
  /** Vectors of its first passages, in their order. */
  vectors: Float32Array[];
  /** Its first passage as {@link READER} reads it; undefined where that has not read it. */
  read: Int8Array | undefined;
};

/** Name of the model whose vectors tell stories apart: the weights of pairs are learned with it. */
const READER = "rerank-ar-en";
/** Its dimensions. */
const READ_DIMS = 384;

/** A time that is later than an article came itself, by more than clocks differ, is none. */
const STORY_TIME = `case when a.published_at between '1970-01-02Z' and a.created_at + interval '1 hour'
  then a.published_at else a.created_at end`;

/** Passages of an article that are read. */
const PASSAGES = 4;

/** Names of an article that are read, those mentioned most. */
const NAMES = 40;

/** Units of a content that are read. */
const CONTENT_LENGTH = 4_000;

/** Returns indexed articles with all that they are compared by; others are left out. */
export async function storyTexts(sql: Sql, ids: readonly number[]): Promise<StoryText[]> {
  if (ids.length === 0) return [];
  const list = [...ids];
  const [texts, names, passages, read] = await Promise.all([
    sql<Omit<StoryText, "entities" | "vectors" | "read">[]>`
      select a.article_id as "articleId", a.source_id as "sourceId", ${sql.unsafe(CURRENT_TITLE)} as title,
        left(coalesce(r.content, a.content), ${CONTENT_LENGTH}) as content,
        case when r.content is not null then left(a.content, ${CONTENT_LENGTH}) end as before, a.lang,
        floor(extract(epoch from ${sql.unsafe(STORY_TIME)}) * 1000)::float8 as at
      from ${sql.unsafe(CURRENT)} where a.article_id = any(${list}::bigint[]) and a.state = 'indexed'`,
    sql<{ articleId: number; entityId: number; name: string; mentions: number }[]>`
      select article_id as "articleId", entity_id as "entityId", name, mentions from (
        select m.article_id, m.entity_id, e.name, sum(m.mentions)::int as mentions,
          row_number() over (partition by m.article_id order by sum(m.mentions) desc, m.entity_id) as place
        from article_entities m join entities e using (entity_id)
        where m.article_id = any(${list}::bigint[]) and m.tagged and not m.type = any(${NUMERIC})
        group by 1, 2, 3
      ) as named where place <= ${NAMES}`,
    sql<{ articleId: number; vector: Buffer }[]>`
      select article_id as "articleId", vector from chunks
      where article_id = any(${list}::bigint[]) and chunk_no < ${PASSAGES}
        and model_no = (select model_no from chunks where article_id = any(${list}::bigint[]) order by seq desc limit 1)
      order by article_id, chunk_no`,
    sql<{ articleId: number; vector: Buffer }[]>`
      select article_id as "articleId", substring(vectors from 1 for ${READ_DIMS}) as vector
      from rerank_vectors join rerank_models using (model_no)
      where article_id = any(${list}::bigint[]) and model_id like ${`${READER}@%`} and length(vectors) >= ${READ_DIMS}`,
  ]);
  const namesOf = Map.groupBy(names, ({ articleId }) => articleId);
  const passagesOf = Map.groupBy(passages, ({ articleId }) => articleId);
  const readOf = new Map(
    read.map(({ articleId, vector }) => [articleId, Int8Array.from(vector, (byte) => (byte << 24) >> 24)]),
  );
  return texts.map((text) => ({
    ...text,
    entities: (namesOf.get(text.articleId) ?? []).map(({ entityId, name, mentions }) => ({ entityId, name, mentions })),
    vectors: (passagesOf.get(text.articleId) ?? []).map(({ vector }) => unpackVector(vector)),
    read: readOf.get(text.articleId),
  }));
}

/** An article with what it is compared by, packed. */
export type StoryReport = {
  articleId: number;
  lang: string | null;
  at: number;
  /** Stems of its title, hashed. */
  stems: readonly number[];
  /** Hashes under which it is found by others. */
  keys: readonly number[];
  traits: Buffer;
};

/** An article near in time that shares some key with the article `of`. */
export type StoryCandidate = Pick<StoryReport, "articleId" | "lang" | "at" | "traits"> & { of: number };

/** Articles on each side in time that are looked at for a key, the nearest; many share what tells little. */
const NEAREST = 32;

/** Articles that one is compared with at most. */
const MAX_CANDIDATES = 40;

/** Longest time between articles that are compared, in hours. */
const WINDOW_H = 48;

/**
 * Returns for each article those near in time that share keys with it, the most telling first: a key that many share
 * counts less. Only those that this version of the rules has read: others are packed otherwise.
 */
export async function storyCandidates(
  tx: Tx,
  reports: readonly StoryReport[],
  version: number,
): Promise<StoryCandidate[]> {
  const keys = reports.flatMap(({ articleId, at, keys }) => keys.map((key) => ({ articleId, at, key })));
  if (keys.length === 0) return [];
  const window = tx`make_interval(hours => ${WINDOW_H})`;
  const rows = await tx<StoryCandidate[]>`
    with asked as materialized (
      select article_id, key, to_timestamp(ms / 1000) as at
      from unnest(${keys.map((k) => k.articleId)}::bigint[], ${keys.map((k) => k.at)}::float8[],
        ${keys.map((k) => k.key)}::int[]) as k (article_id, ms, key)
    ), shared as (
      select q.article_id as of, near.article_id, count(*) over (partition by q.article_id, q.key) as holders
      from asked q cross join lateral (
        (select article_id from story_keys
         where key = q.key and at between q.at - ${window} and q.at order by at desc limit ${NEAREST})
        union all
        (select article_id from story_keys
         where key = q.key and at > q.at and at <= q.at + ${window} order by at limit ${NEAREST})
      ) as near
    ), ranked as (
      select of, article_id,
        row_number() over (partition by of order by sum(1 / ln(1 + holders)) desc, article_id desc) as place
      from shared where article_id <> of group by of, article_id
    )
    select of, article_id as "articleId", lang, floor(extract(epoch from at) * 1000)::float8 as at, traits
    from ranked join story_articles using (article_id) where place <= ${MAX_CANDIDATES} and version = ${version}
    order by of, place`;
  return rows;
}
