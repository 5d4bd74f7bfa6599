import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { repeating, transaction } from "./transaction.ts";
import { jsonText, parseArticleId } from "./values.ts";
import { enlistStretch, moveOn, type Step, type Stretch, WORK_CHANNEL } from "./work.ts";

/** Rows of articles that share an anchor, for each article that is looked up, at most. */
const MAX_CANDIDATES = 2_000;

/** Articles of a family that are shown at most. */
const MAX_FAMILY = 200;

/** Share of either text from which on two articles are of one family whatever else joins them. */
export const MOSTLY_SHARED = 0.5;

/** Links over a part of the texts that lead from an article to the others of its family, at most. */
export const MAX_STEPS = 2;

/** Near duplicates of an article that are shown at most. */
const MAX_NEAR = 20;

/** Joins a pair with the revision that its source holds to; with none where that is the stored text. */
const HELD_REVISION =
  "left join article_revisions r on r.article_id = p.article_id and r.revision = p.revision and r.kind = 'changed'";

/** Joins articles with what their own source tells now: the revision that it holds to, else the stored text. */
export const CURRENT = `articles a
  left join article_pairs p on (p.source_id, p.external_id) = (a.source_id, a.external_id) and p.article_id = a.article_id
  ${HELD_REVISION}`;

/** Selects the title that a source tells now, of what {@link CURRENT} joins. */
export const CURRENT_TITLE = "coalesce(r.title, a.title)";

/** Makes the statements over what texts share. */
export function copyStore(sql: Sql) {
  return {
    texts: (ids: readonly number[]) => repeating(() => currentTexts(sql, ids)),
    register: (batch: readonly ReadText[]) => registerTexts(sql, batch),
    candidates: (ids: readonly number[]) => repeating(() => candidatesOf(sql, ids)),
    linksAmong: (ids: readonly number[]) => repeating(() => linksAmong(sql, ids)),
    put: (batch: readonly MatchedText[], step?: Step) => putLinks(sql, batch, step),
    enlist: (stretch: UnmatchedStretch) => enlistUnmatched(sql, stretch),
    family: (idOrUuid: string | number) => repeating(() => familyOf(sql, idOrUuid)),
  };
}

/** Returns the texts that count now for these articles; ids without an article are left out. */
async function currentTexts(sql: Sql, ids: readonly number[]): Promise<CurrentText[]> {
  if (ids.length === 0) return [];
  return await sql<CurrentText[]>`
    select a.article_id as "articleId", coalesce(r.revision, 1) as revision, ${sql.unsafe(CURRENT_TITLE)} as title,
      coalesce(r.content, a.content) as content, a.lang, a.source_id as "sourceId", a.domain,
      ${sql.unsafe(iso("a.published_at"))} as "publishedAt", ${sql.unsafe(iso("a.created_at"))} as "createdAt"
    from ${sql.unsafe(CURRENT)} where a.article_id = any(${[...ids]}::bigint[])`;
}

/**
 * Stores the anchors and credits of texts, so that others find them, and returns what they are joined to already. What
 * was revised since it was read is left out: it will be read again. To be committed before {@link candidatesOf} is
 * asked, so that of two articles that are looked up at once the later one finds the other.
 */
async function registerTexts(sql: Sql, batch: readonly ReadText[]): Promise<SeenText[]> {
  if (batch.length === 0) return [];
  const ids = batch.map(({ articleId }) => articleId);
  const rows = batch.map(({ anchors, ...row }) => ({ ...row, anchors: `{${anchors.join(",")}}` }));
  return await transaction(
    sql,
    async (tx) => {
      await tx`select from articles where article_id = any(${ids}::bigint[]) order by article_id for share`;
      await tx`
        insert into article_copies as c (article_id, revision, version, words, anchors, credits)
        select i."articleId", i.revision, i.version, i.words, i.anchors::int[], i.credits
        from json_to_recordset(${jsonText(rows)}::text::json) as i (
          "articleId" bigint, revision int, version smallint, words int, anchors text, credits jsonb)
        join (${tx.unsafe(CURRENT)}) on a.article_id = i."articleId" and coalesce(r.revision, 1) = i.revision
        order by i."articleId"
        on conflict (article_id) do update set (revision, version, words, anchors, credits) =
          (excluded.revision, excluded.version, excluded.words, excluded.anchors, excluded.credits)`;
      return await linkedTexts(tx, ids);
    },
    { repeatable: true },
  );
}

/** Returns the texts that articles are joined to. */
async function linkedTexts(tx: Tx, ids: readonly number[]): Promise<SeenText[]> {
  return await tx<SeenText[]>`
    select l.article_id as "articleId", l.other_id as "otherId", c.revision as "otherRevision"
    from copy_links l join article_copies c on c.article_id = l.other_id where l.article_id = any(${[...ids]}::bigint[])`;
}

/** Returns the articles that share an anchor with one of these, for each of them. */
async function candidatesOf(sql: Sql, ids: readonly number[]): Promise<CopyCandidate[]> {
  if (ids.length === 0) return [];
  return await sql<CopyCandidate[]>`
    select q.article_id as "articleId", c.article_id as "otherId", c.revision as "otherRevision", c.anchors
    from article_copies q cross join lateral (
      select article_id, revision, anchors from article_copies
      where anchors && q.anchors and article_id <> q.article_id limit ${MAX_CANDIDATES}) c
    where q.article_id = any(${[...ids]}::bigint[])`;
}

/** Returns the links between any two of these articles, once each. */
async function linksAmong(sql: Sql | Tx, ids: readonly number[]): Promise<CopyLink[]> {
  if (ids.length < 2) return [];
  return await sql<CopyLink[]>`
    select article_id as "articleId", other_id as "otherId", overlap, overlap_of_other as "overlapOfOther", confidence,
      carriers
    from copy_links
    where article_id = any(${[...ids]}::bigint[]) and other_id = any(${[...ids]}::bigint[]) and article_id < other_id`;
}

/**
 * Stores what articles share with others in the place of what was stored of them, and ends their step: one transaction.
 * An article that the step's owner does not hold any more is left out, and a link to a text that is another one by now:
 * both are matched again. What another process has joined them to meanwhile, by a text that they have not seen, stays.
 * Returns the ids that were stored.
 */
async function putLinks(sql: Sql, batch: readonly MatchedText[], step?: Step): Promise<number[]> {
  if (batch.length === 0) return [];
  const all = [...new Set(batch.flatMap(({ articleId, links }) => [articleId, ...links.map((link) => link.otherId)]))];
  return await transaction(
    sql,
    async (tx) => {
      const ids = batch.map(({ articleId }) => articleId);
      await tx`select from articles where article_id = any(${all}::bigint[]) order by article_id for key share`;
      const held = new Set(step === undefined ? ids : await moveOn(tx, step, ids));
      const revisions = await tx<{ id: number; revision: number }[]>`
        select article_id as id, revision from article_copies where article_id = any(${all}::bigint[])
        order by article_id for share`;
      const current = new Map(revisions.map(({ id, revision }) => [id, revision]));
      const stored = batch.filter(
        ({ articleId, revision }) => held.has(articleId) && current.get(articleId) === revision,
      );
      const links = stored.flatMap(({ articleId, links }) =>
        links
          .filter((link) => current.get(link.otherId) === link.otherRevision)
          .map((link) => ({ articleId, ...link })),
      );
      await replaceLinks(tx, stored, links);
      await shortenAnchors(tx, stored);
      await enlistAgain(tx, [...new Set(stored.flatMap(({ again }) => again))]);
      return [...held];
    },
    { repeatable: true },
  );
}

async function replaceLinks(
  tx: Tx,
  stored: readonly MatchedText[],
  links: readonly (CopyLink & object)[],
): Promise<void> {
  if (stored.length === 0) return;
  const seen = new Map(stored.map((text) => [text.articleId, text.seen]));
  const existing = await linkedTexts(tx, [...seen.keys()]);
  const old = existing.filter((link) => seen.get(link.articleId)?.get(link.otherId) === link.otherRevision);
  if (old.length > 0)
    await tx`
      delete from copy_links l using unnest(${old.map(({ articleId }) => articleId)}::bigint[],
        ${old.map(({ otherId }) => otherId)}::bigint[]) as o (article_id, other_id)
      where (l.article_id, l.other_id) in ((o.article_id, o.other_id), (o.other_id, o.article_id))`;
  if (links.length === 0) return;
  const both = links.flatMap((link) => [link, reversed(link)]);
  const pairs = new Map(both.map((link) => [`${link.articleId} ${link.otherId}`, link]));
  await tx`
    insert into copy_links (article_id, other_id, overlap, overlap_of_other, confidence, carriers)
    select "articleId", "otherId", overlap, "overlapOfOther", confidence, carriers
    from json_to_recordset(${jsonText([...pairs.values()])}::text::json) as i (
      "articleId" bigint, "otherId" bigint, overlap real, "overlapOfOther" real, confidence real, carriers int)
    order by 1, 2
    on conflict (article_id, other_id) do update set (overlap, overlap_of_other, confidence, carriers) =
      (excluded.overlap, excluded.overlap_of_other, excluded.confidence, excluded.carriers)`;
}

/** Takes anchors out by which enough other articles are found. */
async function shortenAnchors(tx: Tx, batch: readonly MatchedText[]): Promise<void> {
  const rows = batch.flatMap(({ articleId, anchors }) =>
    anchors === undefined ? [] : { articleId, anchors: `{${anchors.join(",")}}` },
  );
  if (rows.length === 0) return;
  await tx`
    update article_copies c set anchors = i.anchors::int[]
    from json_to_recordset(${jsonText(rows)}::text::json) as i ("articleId" bigint, anchors text)
    where c.article_id = i."articleId"`;
}

/** Queues articles that were matched before; what is queued stays as it is. */
async function enlistAgain(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    insert into work (article_id, stage, priority)
    select article_id, 'copies', -1 from articles where article_id = any(${[...ids]}::bigint[]) and state = 'indexed'
    order by article_id on conflict do nothing`;
}

const reversed = ({ articleId, otherId, overlap, overlapOfOther, ...link }: CopyLink): CopyLink => ({
  ...link,
  articleId: otherId,
  otherId: articleId,
  overlap: overlapOfOther,
  overlapOfOther: overlap,
});

/**
 * Queues the indexed articles of a stretch that no text was read of by this version of the rules, or all with `again`.
 */
async function enlistUnmatched(sql: Sql, { version, again = false, ...stretch }: UnmatchedStretch) {
  const due = sql`
    select s.article_id from stretch s left join article_copies c using (article_id)
    where s.state = 'indexed' and (${again} or c.version is distinct from ${version})`;
  return await enlistStretch(sql, stretch, { stage: "copies", priority: -1, due });
}

/** Queues an article whose text became another one; who is at it meanwhile stores nothing. */
export async function matchAgain(tx: Tx, articleId: number): Promise<void> {
  await tx`
    insert into work as w (article_id, stage)
    select article_id, stage from articles cross join unnest(array['copies', 'stories']) as stage
    where article_id = ${articleId} and state = 'indexed'
    on conflict (article_id, stage) do update set due_at = now(), queued_at = now(), attempts = 0, reason = null,
      set_aside_at = null, lease_owner = null, lease_until = null`;
  await tx`select pg_notify(${WORK_CHANNEL}, stage) from unnest(array['copies', 'stories']) as stage`;
}

/**
 * Returns an article with all that are joined to it by shared text, each with the pairs under which it is known, too;
 * at most {@link MAX_FAMILY}, the nearest first. Where two share less than half of either, that is a step, of which it
 * goes {@link MAX_STEPS}: by its paragraphs of background a paper's reports of months would be one family. Undefined
 * when there is no such article.
 */
async function familyOf(sql: Sql, idOrUuid: string | number): Promise<CopyFamily | undefined> {
  const parsed = parseArticleId(idOrUuid);
  if (parsed === undefined) return undefined;
  const key = typeof parsed === "number" ? sql`article_id = ${parsed}` : sql`doc_id = ${parsed}`;
  const [article] = await sql<{ id: number }[]>`select article_id as id from articles where ${key}`;
  if (article === undefined) return undefined;
  const articleId = article.id;
  const step = sql`case when greatest(l.overlap, l.overlap_of_other) >= ${MOSTLY_SHARED} then 0 else 1 end`;
  const rows = await sql<{ id: number }[]>`
    with recursive family (id, steps) as (
      select ${articleId}::bigint, 0
      union
      select l.other_id, f.steps + ${step}
      from family f join copy_links l on l.article_id = f.id where f.steps + ${step} <= ${MAX_STEPS}
    )
    select id from (select * from family limit ${(MAX_STEPS + 1) * MAX_FAMILY}) as f
    group by id order by min(steps), id limit ${MAX_FAMILY}`;
  const ids = rows.map(({ id }) => id);
  const [members, links] = await Promise.all([
    sql<FamilyMember[]>`
      select a.article_id as "articleId", null as "aliasOf", a.source_id as "sourceId", s.name as "sourceName",
        ${sql.unsafe(CURRENT_TITLE)} as title, a.url, ${sql.unsafe(iso("a.published_at"))} as "publishedAt",
        ${sql.unsafe(iso("a.created_at"))} as "cameAt", c.words, coalesce(c.credits, '[]') as credits
      from ${sql.unsafe(CURRENT)} left join article_copies c on c.article_id = a.article_id left join sources s on s.key = a.source_id
      where a.article_id = any(${ids}::bigint[])
      union all
      select null, p.article_id, p.source_id, s.name, ${sql.unsafe(CURRENT_TITLE)}, p.alias_url,
        ${sql.unsafe(iso("p.alias_published_at"))}, ${sql.unsafe(iso("coalesce(p.alias_at, a.created_at)"))},
        c.words, coalesce(c.credits, '[]')
      from article_pairs p join articles a using (article_id) ${sql.unsafe(HELD_REVISION)}
        left join article_copies c on c.article_id = p.article_id left join sources s on s.key = p.source_id
      where p.article_id = any(${ids}::bigint[]) and p.alias_url is not null
      limit ${2 * MAX_FAMILY}`,
    linksAmong(sql, ids),
  ]);
  return { articleId, members: [...members], links: [...links] };
}

/** Returns up to 20 other articles that share a fifth or more of either text, those that share most first. */
export async function nearDuplicates(sql: Sql, articleId: number): Promise<NearDuplicate[]> {
  return await sql<NearDuplicate[]>`
    select l.other_id as "articleId", a.source_id as "sourceId", coalesce(s.name, a.source_id) as "sourceName",
      ${sql.unsafe(CURRENT_TITLE)} as title, a.url, ${sql.unsafe(iso("a.published_at"))} as "publishedAt", greatest(l.overlap, l.overlap_of_other) as overlap
    from copy_links l join (${sql.unsafe(CURRENT)}) on a.article_id = l.other_id left join sources s on s.key = a.source_id
    where l.article_id = ${articleId}
    order by 7 desc, l.other_id limit ${MAX_NEAR}`;
}

/** Holds the text of an article that counts now. */
export type CurrentText = {
  articleId: number;
  revision: number;
  title: string;
  content: string;
  lang: string | null;
  sourceId: string;
  domain: string;
  publishedAt: string | null;
  createdAt: string;
};

/** A source that a text names; offsets in code points of the text, end exclusive. */
export type Credit = { name: string; text: string; start: number; end: number };

/** Holds what a version of the rules read of a text. */
export type ReadText = {
  articleId: number;
  revision: number;
  version: number;
  words: number;
  anchors: Int32Array;
  credits: readonly Credit[];
};

/** A text that another article is or may be joined to. */
type SeenText = { articleId: number; otherId: number; otherRevision: number };

/** A text that shares an anchor with another one. */
export type CopyCandidate = SeenText & { anchors: number[] };

/** Holds what two texts share: `overlap` of the words of the one, `overlapOfOther` of those of the other. */
export type CopyLink = {
  articleId: number;
  otherId: number;
  overlap: number;
  overlapOfOther: number;
  confidence: number;
  /** Articles that had passages in common with the one that was judged. */
  carriers: number;
};

/** Holds what a text shares with others, and the revisions that were compared. */
export type MatchedText = {
  articleId: number;
  revision: number;
  /** The anchors by which others are to find it, where they are not all of those that it was registered with. */
  anchors: Int32Array | undefined;
  /** The revisions of the texts that it was joined to before or shares anchors with: what was stored of them is old. */
  seen: ReadonlyMap<number, number>;
  /** Articles that are to be matched again, in the light of what was learned. */
  again: readonly number[];
  links: readonly (Omit<CopyLink, "articleId"> & { otherRevision: number })[];
};

/** A stretch of articles; `again`: those too that were matched. */
type UnmatchedStretch = Stretch & { version: number; again?: boolean | undefined };

/** An article of a family, or a pair that was answered `duplicate` of the article `aliasOf`. */
export type FamilyMember = {
  articleId: number | null;
  aliasOf: number | null;
  sourceId: string;
  /** Null for a source that is not registered. */
  sourceName: string | null;
  title: string;
  url: string;
  publishedAt: string | null;
  cameAt: string;
  words: number | null;
  credits: Credit[];
};

/** Articles that are joined by shared text. */
export type CopyFamily = { articleId: number; members: FamilyMember[]; links: CopyLink[] };

/** Another article that shares a fifth or more of either text. */
export type NearDuplicate = {
  articleId: number;
  sourceId: string;
  sourceName: string;
  title: string;
  url: string;
  publishedAt: string | null;
  /** The greater of the two shares. */
  overlap: number;
};
