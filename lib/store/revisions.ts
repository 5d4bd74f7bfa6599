import type { EventRevision } from "../contract/mod.ts";
import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { matchAgain } from "./copies.ts";
import { writeEvents } from "./outbox.ts";
import { repeating, transaction } from "./transaction.ts";
import { parseArticleId, storableText } from "./values.ts";

/** Makes the statements over revisions of articles. */
export function revisionStore(sql: Sql, noting: <T>(work: () => Promise<T>) => Promise<T>) {
  return {
    record: (report: RevisionReport) => noting(() => recordRevision(sql, report)),
    list: (idOrUuid: string | number, options: { limit: number; before?: number | undefined }) =>
      repeating(() => listRevisions(sql, idOrUuid, options)),
  };
}

/**
 * The revisions of the article of this number or uuid with a number below `before`, newest first, at most `limit`; the
 * last of all is the article as it was stored. Undefined when there is no such article.
 */
async function listRevisions(
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

/** So many revisions of an article are kept beside the stored one: the newest, and those that a source holds to now. */
const MAX_REVISIONS = 20;

type Pair = { articleId: number; contentHash: string; revision: number; gone: boolean };

/**
 * Takes down what a source says of an article now, beside the stored text, which stays as it is. A text that is known
 * already is not kept a second time. Where the source says something else than before, an event `article.revised` goes
 * out with it.
 */
async function recordRevision(sql: Sql, given: RevisionReport): Promise<RevisionOutcome> {
  const report = { ...given, sourceId: storableText(given.sourceId), externalId: storableText(given.externalId) };
  return await transaction(
    sql,
    async (tx) => {
      const pair = await lockPair(tx, report);
      if (pair === undefined) return { status: "unknown" };
      const { articleId } = pair;
      const sameRevision = await knownRevision(tx, pair, report);
      const isGone = report.kind === "deleted_at_source";
      if (isGone ? pair.gone : sameRevision === pair.revision && !pair.gone) {
        return { status: "known", articleId, revision: pair.revision };
      }
      const revision = sameRevision ?? (await insertRevision(tx, articleId, report));
      await (isGone
        ? tx`update article_pairs set gone_at = now() where ${isPair(tx, report)}`
        : tx`update article_pairs set gone_at = null, revision = ${revision} where ${isPair(tx, report)}`);
      if (!isGone) await matchAgain(tx, articleId);
      await announce(tx, articleId, revision, report);
      return { status: "recorded", articleId, revision };
    },
    { repeatable: true },
  );
}

/** The pair with its article, which stays as it is until the transaction ends. */
async function lockPair(tx: Tx, report: RevisionReport): Promise<Pair | undefined> {
  const [pair] = await tx<Pair[]>`
    select article_id as "articleId", encode(a.content_hash, 'hex') as "contentHash",
      coalesce(p.revision, 1) as revision, p.gone_at is not null as gone
    from article_pairs p join articles a using (article_id)
    where p.source_id = ${report.sourceId} and p.external_id = ${report.externalId}
    for no key update of a`;
  return pair;
}

async function knownRevision(tx: Tx, { articleId, contentHash }: Pair, report: RevisionReport) {
  if (report.kind === "deleted_at_source") return undefined;
  if (report.contentHash === contentHash) return 1;
  const [known] = await tx<{ revision: number }[]>`
    select revision from article_revisions
    where article_id = ${articleId} and content_hash = decode(${report.contentHash}, 'hex')`;
  return known?.revision;
}

async function insertRevision(tx: Tx, articleId: number, report: RevisionReport): Promise<number> {
  const { kind, sourceId, externalId, requestId, url } = report;
  const { title, content, contentHash } =
    report.kind === "changed" ? report : { title: null, content: null, contentHash: null };
  const [row] = await tx<{ revision: number }[]>`
    insert into article_revisions (article_id, revision, kind, source_id, external_id, request_id, url, title, content, content_hash)
    select ${articleId}, coalesce(max(revision), 1) + 1, ${kind}, ${sourceId}, ${externalId}, ${requestId},
      ${url}, ${title}, ${content}, decode(${contentHash}::text, 'hex')
    from article_revisions where article_id = ${articleId}
    returning revision`;
  await tx`
    delete from article_revisions r where article_id = ${articleId}
      and revision <= (
        select revision from article_revisions where article_id = ${articleId}
        order by revision desc offset ${MAX_REVISIONS} limit 1)
      and not exists (select from article_pairs p where p.article_id = r.article_id and p.revision = r.revision)`;
  return row?.revision ?? 0;
}

async function announce(tx: Tx, articleId: number, revision: number, report: RevisionReport): Promise<void> {
  const { kind, sourceId, externalId } = report;
  const current: EventRevision = {
    revision,
    kind,
    ...(report.kind === "changed" && { title: report.title, content_hash: report.contentHash }),
    reported_by: { source_id: sourceId, external_id: externalId },
  };
  await writeEvents(tx, [{ type: "article.revised", articleId, data: { revision: current } }]);
}

function isPair(tx: Tx, { sourceId, externalId }: RevisionReport) {
  return tx`source_id = ${sourceId} and external_id = ${externalId}`;
}

/** Holds what a source says of an article that is stored: another text, or that it is gone. */
export type RevisionReport = {
  sourceId: string;
  externalId: string;
  requestId: string | null;
  url: string | null;
} & ({ kind: "changed"; title: string; content: string; contentHash: string } | { kind: "deleted_at_source" });

/**
 * Holds what became of a report. `recorded`: the source says something else than before, `revision` says what; `known`:
 * it says what it said before; `unknown`: no article is known under this pair.
 */
type RevisionOutcome = { status: "recorded" | "known"; articleId: number; revision: number } | { status: "unknown" };

/** A revision of an article; times are ISO 8601 in UTC. */
export type Revision = {
  /** 1 is the article as it was stored. */
  revision: number;
  kind: "stored" | "changed" | "deleted_at_source";
  reportedAt: string;
  sourceId: string;
  externalId: string;
  requestId: string | null;
  url: string | null;
  /** Null for a deletion. */
  title: string | null;
  content: string | null;
  contentHash: string | null;
  /** The text of the revision before it that has one; null for the first. */
  previous: { title: string; content: string } | null;
};

/** Holds what a source says of an article now. */
type RevisionSource = {
  sourceId: string;
  externalId: string;
  url: string;
  revision: number;
  /** Since when the source has the article no more. */
  goneAt: string | null;
};

/** Revisions of an article, newest first. */
export type RevisionPage = {
  articleId: number;
  docId: string;
  /** The article's own source first. */
  sources: RevisionSource[];
  revisions: Revision[];
  /** The number of the last one on this page, when there are older ones. */
  nextBefore: number | null;
};
