import type { EventRevision } from "../../contract/mod.ts";
import type { Sql, Tx } from "../client.ts";
import { eventArticle, lockChanges } from "../events.ts";
import { jsonText, storableText } from "../json.ts";
import { transaction } from "../transaction.ts";
import type { RevisionOutcome, RevisionReport } from "./types.ts";

/** So many revisions of an article are kept beside the stored one: the newest, and those that a source holds to now. */
const MAX_REVISIONS = 20;

type Pair = { articleId: number; contentHash: string; revision: number; gone: boolean };

/**
 * Takes down what a source says of an article now, beside the stored text, which stays as it is. A text that is known
 * already is not kept a second time. Where the source says something else than before, an event `article.revised` goes
 * out with it.
 */
export async function recordRevision(sql: Sql, given: RevisionReport): Promise<RevisionOutcome> {
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
  const what: EventRevision = {
    revision,
    kind,
    ...(report.kind === "changed" && { title: report.title, content_hash: report.contentHash }),
    reported_by: { source_id: sourceId, external_id: externalId },
  };
  await lockChanges(tx);
  await tx`
    insert into outbox (event_id, type, article_id, article, revision)
    select nextval('change_seq'), 'article.revised', a.article_id, ${eventArticle(tx)}, ${jsonText(what)}::text::jsonb
    from articles a where a.article_id = ${articleId}`;
}

function isPair(tx: Tx, { sourceId, externalId }: RevisionReport) {
  return tx`source_id = ${sourceId} and external_id = ${externalId}`;
}
