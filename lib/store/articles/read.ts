import { repeating } from "../transaction.ts";
import type { ArticleState } from "../../contract/mod.ts";
import type { Sql } from "../client.ts";
import { type Json, parseArticleId } from "../values.ts";
import { type NearDuplicate, nearDuplicates } from "../copies.ts";
import { type ArticleStage, stagesOf } from "../work.ts";
import { type Article, type ArticleField, everyField, iso, select } from "./columns.ts";

/** Makes the statements that read articles. */
export function articleReads(sql: Sql) {
  return {
    get: (idOrUuid: string | number) => repeating(() => getArticle(sql, idOrUuid)),
    idsOf: (docIds: readonly string[]) => repeating(() => articleIdsOf(sql, docIds)),
    byIds: <F extends ArticleField>(ids: readonly number[], fields: readonly F[]) =>
      repeating(() => articlesByIds(sql, ids, fields)),
    unlessKnown: <F extends ArticleField>(known: ReadonlyMap<number, string | undefined>, fields: readonly F[]) =>
      repeating(() => articlesUnlessKnown(sql, known, fields)),
    inState: <F extends ArticleField>(ids: readonly number[], state: ArticleState, fields: readonly F[]) =>
      repeating(() => articlesInState(sql, ids, state, fields)),
    countByState: () => repeating(() => countByState(sql)),
    countPending: () => repeating(() => countPending(sql)),
  };
}

/** The article of this number or uuid with its aliases, entities and relations; undefined when there is none. */
async function getArticle(sql: Sql, idOrUuid: string | number): Promise<ArticleDetail | undefined> {
  const id = parseArticleId(idOrUuid);
  if (id === undefined) return undefined;
  const key = typeof id === "number" ? sql`article_id = ${id}` : sql`doc_id = ${id}`;
  const [article] = await sql<Article[]>`select ${select(sql, everyField)} from articles where ${key}`;
  if (article === undefined) return undefined;
  const [pairs, entities, relations, near, stages] = await Promise.all([
    sql<{ sourceId: string; externalId: string; url: string | null; goneAt: string | null }[]>`
      select source_id as "sourceId", external_id as "externalId", alias_url as url, ${sql.unsafe(iso("gone_at"))} as "goneAt"
      from article_pairs where article_id = ${article.articleId}
      order by source_id, external_id`,
    sql<ArticleEntity[]>`
      select entity_id as "entityId", coalesce(shown_name, name) as name, type, mentions, confidence, spans
      from article_entities join entities using (entity_id) where article_id = ${article.articleId}
      order by mentions desc, entity_id, type`,
    sql<ArticleRelation[]>`
      select type, args, confidence, start_offset as start, end_offset as "end", meta
      from relations where article_id = ${article.articleId}
      order by start_offset, relation_id`,
    nearDuplicates(sql, article.articleId),
    stagesOf(sql, article.articleId),
  ]);
  const goneAt = pairs.find(({ url }) => url === null)?.goneAt ?? null;
  const aliases = pairs.flatMap(({ sourceId, externalId, url }) =>
    url === null ? [] : [{ sourceId, externalId, url }],
  );
  const lists = { entities: [...entities], relations: [...relations], nearDuplicates: [...near], stages: [...stages] };
  return { ...article, goneAt, aliases, ...lists };
}

/**
 * The named fields of these articles, in no particular order; ids without an article are left out. Leave `content` out
 * where it is not needed: it is by far the longest.
 */
async function articlesByIds<F extends ArticleField>(
  sql: Sql,
  ids: readonly number[],
  fields: readonly F[],
): Promise<Pick<Article, F>[]> {
  if (ids.length === 0) return [];
  return await sql<Pick<Article, F>[]>`
    select ${select(sql, fields)} from articles where article_id = any(${[...ids]}::bigint[])`;
}

/** An article that is stored; `article` is undefined where its version is the one that is known. */
export type VersionedArticle<F extends ArticleField> = {
  articleId: number;
  /** Differs after each change of the article. */
  version: string;
  article: Pick<Article, F> | undefined;
};

/** SQL for the version of a row: it changes with every update. */
const VERSION = "articles.xmin::text || ' ' || articles.updated_at::text";

/**
 * The named fields of the articles whose ids `known` has, in no particular order; only the version of those that still
 * have the one that is known. Ids without an article are left out.
 */
async function articlesUnlessKnown<F extends ArticleField>(
  sql: Sql,
  known: ReadonlyMap<number, string | undefined>,
  fields: readonly F[],
): Promise<VersionedArticle<F>[]> {
  const versioned = [...known].filter((entry): entry is [number, string] => entry[1] !== undefined);
  // Where one must be read in any case, the others are compared along the way.
  if (versioned.length < known.size || known.size === 0) return await readUnlessKnown(sql, known, fields);
  const unchanged = new Set(await articlesUnchanged(sql, versioned));
  const same = versioned.flatMap(([articleId, version]) =>
    unchanged.has(articleId) ? [{ articleId, version, article: undefined }] : [],
  );
  const others = new Map(versioned.filter(([id]) => !unchanged.has(id)));
  return others.size === 0 ? same : [...same, ...(await readUnlessKnown(sql, others, fields))];
}

/** The ids of those that still have these versions: one row, whatever their number. */
async function articlesUnchanged(sql: Sql, versioned: readonly (readonly [number, string])[]): Promise<number[]> {
  const ids = versioned.map(([id]) => id);
  const versions = versioned.map(([, version]) => version);
  const [row] = await sql<{ ids: number[] | null }[]>`
    select array_agg(article_id) as ids from articles
    where article_id = any(${ids}::bigint[])
      and ${sql.unsafe(VERSION)} = (${versions}::text[])[array_position(${ids}::bigint[], article_id)]`;
  return row?.ids ?? [];
}

async function readUnlessKnown<F extends ArticleField>(
  sql: Sql,
  known: ReadonlyMap<number, string | undefined>,
  fields: readonly F[],
): Promise<VersionedArticle<F>[]> {
  if (known.size === 0) return [];
  const ids = [...known.keys()];
  const versions = Array.from(known.values(), (version) => version ?? "");
  // No two transactions that are visible one after the other have the same id, but for one after a restored backup.
  const rows = await sql<(Pick<Article, F> & { id: number; version: string; same: boolean })[]>`
    select article_id as id, version, same, ${select(sql, fields, { unless: "same" })}
    from articles
    cross join lateral (select ${sql.unsafe(VERSION)} as version offset 0) current
    cross join lateral (
      select version = (${versions}::text[])[array_position(${ids}::bigint[], article_id)] as same offset 0) compared
    where article_id = any(${ids}::bigint[])`;
  return rows.map((row) => ({ articleId: row.id, version: row.version, article: row.same ? undefined : row }));
}

/** The numbers of the articles that have these uuids, by uuid in lower case; those without an article are left out. */
async function articleIdsOf(sql: Sql, docIds: readonly string[]): Promise<Map<string, number>> {
  if (docIds.length === 0) return new Map();
  const rows = await sql<{ docId: string; articleId: number }[]>`
    select doc_id as "docId", article_id as "articleId" from articles where doc_id = any(${[...docIds]}::uuid[])`;
  return new Map(rows.map(({ docId, articleId }) => [docId, articleId]));
}

/** The named fields of those of these articles that are in `state`, by id: what a job has to work on. */
async function articlesInState<F extends ArticleField>(
  sql: Sql,
  ids: readonly number[],
  state: ArticleState,
  fields: readonly F[],
): Promise<Pick<Article, F>[]> {
  if (ids.length === 0) return [];
  return await sql<Pick<Article, F>[]>`
    select ${select(sql, fields)} from articles
    where article_id = any(${[...ids]}::bigint[]) and state = ${state} order by article_id`;
}

/** Returns how many articles are in each state. The finished states are counted from the whole table. */
async function countByState(sql: Sql): Promise<Record<ArticleState, number>> {
  const rows = await sql<{ state: ArticleState; count: number }[]>`
    select state, count(*)::int as count from articles group by state`;
  const counts: Record<ArticleState, number> = { accepted: 0, normalized: 0, indexed: 0, failed: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** Returns how many articles are accepted or normalized, from the index over just these. */
async function countPending(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from articles where state in ('accepted', 'normalized')`;
  return row?.count ?? 0;
}

/** An entity found in an article, under the name that the article has for it. */
type ArticleEntity = {
  entityId: number;
  name: string;
  type: string;
  mentions: number;
  confidence: number | null;
  /** Start and end of each mention in the content, in turn, in code points; empty where they are not known. */
  spans: number[];
};

/** A relation found in an article; offsets count code points of its content, end exclusive. */
type ArticleRelation = {
  type: string;
  args: { [role: string]: Json };
  confidence: number;
  start: number;
  end: number;
  meta: { [key: string]: Json };
};

/** Holds what `GET /v1/articles/{id}` shows. */
export type ArticleDetail = Article & {
  /** Since when its source has it no more, ISO 8601 in UTC. */
  goneAt: string | null;
  aliases: { sourceId: string; externalId: string; url: string }[];
  entities: ArticleEntity[];
  relations: ArticleRelation[];
  /** Other articles that share a fifth or more of either text, those that share most first. */
  nearDuplicates: NearDuplicate[];
  /** The stages that it has not ended. */
  stages: ArticleStage[];
};

/** Holds what the `ingestion` job found out; undefined leaves a column as it is. */
export type NormalizedRow = {
  articleId: number;
  lang: string | null;
  categoryId?: string | null | undefined;
  categorySource?: string | null | undefined;
  categoryConfidence?: number | null | undefined;
  taxonomyVersion?: string | null | undefined;
};
