import { iso } from "../articles/columns.ts";
import { parseArticleId } from "../articles/read.ts";
import type { Sql } from "../client.ts";
import type { Revision, RevisionPage, RevisionSource } from "./types.ts";

/**
 * The revisions of the article of this number or uuid with a number below `before`, newest first, at most `limit`; the
 * last of all is the article as it was stored. Undefined when there is no such article.
 */
export async function listRevisions(
  sql: Sql,
  idOrUuid: string | number,
  { limit, before = 2 ** 31 - 1 }: { limit: number; before?: number | undefined },
): Promise<RevisionPage | undefined> {
  const id = parseArticleId(idOrUuid);
  if (id === undefined) return undefined;
  const [article] = await sql<(Stored & { articleId: number; docId: string })[]>`
    select article_id as "articleId", doc_id as "docId", source_id as "sourceId", external_id as "externalId", url, title,
      content, encode(content_hash, 'hex') as "contentHash", ${sql.unsafe(iso("created_at"))} as "reportedAt"
    from articles where ${typeof id === "number" ? sql`article_id = ${id}` : sql`doc_id = ${id}`}`;
  if (article === undefined) return undefined;
  const { articleId, docId, ...stored } = article;
  const [sources, rows] = await Promise.all([
    sql<RevisionSource[]>`
      select source_id as "sourceId", external_id as "externalId", coalesce(alias_url, ${stored.url}) as url,
        coalesce(revision, 1) as revision, ${sql.unsafe(iso("gone_at"))} as "goneAt"
      from article_pairs where article_id = ${articleId}
      order by alias_url is not null, source_id, external_id`,
    sql<Revision[]>`
      select r.revision, r.kind, ${sql.unsafe(iso("r.reported_at"))} as "reportedAt", r.source_id as "sourceId",
        r.external_id as "externalId", r.request_id as "requestId", r.url, r.title, r.content,
        encode(r.content_hash, 'hex') as "contentHash",
        case when r.kind = 'changed' and p.title is not null
          then jsonb_build_object('title', p.title, 'content', p.content) end as previous
      from article_revisions r left join lateral (
        select title, content from article_revisions e
        where e.article_id = r.article_id and e.revision < r.revision and e.kind = 'changed'
        order by e.revision desc limit 1
      ) as p on true
      where r.article_id = ${articleId} and r.revision < ${before}
      order by r.revision desc limit ${limit + 1}`,
  ]);
  const { title, content } = stored;
  const all: Revision[] = rows.map((row) =>
    row.kind === "changed" && row.previous === null ? { ...row, previous: { title, content } } : row,
  );
  if (before > 1) all.push({ ...stored, revision: 1, kind: "stored", requestId: null, previous: null });
  const revisions = all.slice(0, limit);
  return {
    articleId,
    docId,
    sources: [...sources],
    revisions,
    nextBefore: all.length > limit ? (revisions.at(-1)?.revision ?? null) : null,
  };
}

type Stored = Pick<Revision, "reportedAt" | "sourceId" | "externalId" | "url"> & {
  title: string;
  content: string;
  contentHash: string;
};
