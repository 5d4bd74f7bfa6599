import type { Sql, Tx } from "./client.ts";
import { type EntityName, linkArguments, resolveEntities } from "./entities.ts";
import { transaction } from "./transaction.ts";
import { jsonText, parseArticleId, storableReal, storableText } from "./values.ts";
import { moveOn, type Step } from "./work.ts";

/** Makes the statements over relations of articles. */
export function relationStore(sql: Sql, noting: <T>(work: () => Promise<T>) => Promise<T>) {
  return {
    put: (idOrUuid: string | number, report: RelationsReport, step?: Step) =>
      noting(() => putRelations(sql, idOrUuid, report, step)),
  };
}

/**
 * Keeps what an extraction of relations gave for the article of this number or uuid. Where it replaces what is known,
 * the article's relations and the entities that came with them are exchanged for these; those that the tagger found
 * stay. One idempotent transaction, with which their step ends.
 */
async function putRelations(
  sql: Sql,
  idOrUuid: string | number,
  report: RelationsReport,
  step?: Step,
): Promise<RelationsOutcome> {
  const id = parseArticleId(idOrUuid);
  if (id === undefined) return { status: "unknown" };
  const { relations, replace } = report;
  const work = async (tx: Tx): Promise<RelationsOutcome> => {
    const key = typeof id === "number" ? tx`article_id = ${id}` : tx`doc_id = ${id}`;
    const [article] = await tx<{ articleId: number; docId: string; length: number }[]>`
      select article_id as "articleId", doc_id as "docId", char_length(content) as length
      from articles where ${key} for no key update`;
    if (article === undefined) return { status: "unknown" };
    const { articleId, docId, length } = article;
    const places = [...relations.keys()].filter((i) => (relations[i]?.end ?? 0) > length);
    if (places.length > 0) return { status: "outside", length, places };
    const entities = replace ? await replaceRelations(tx, articleId, relations) : 0;
    await keepPackage(tx, articleId, report);
    if (step !== undefined) await moveOn(tx, step, [articleId]);
    return { status: "stored", articleId, docId, stored: replace ? relations.length : 0, entities };
  };
  return await transaction(sql, work, { repeatable: true });
}

/** Returns how many distinct entities they name. */
async function replaceRelations(tx: Tx, articleId: number, relations: readonly NewRelation[]): Promise<number> {
  const ids = await resolveEntities(
    tx,
    relations.flatMap(({ entities }) => Object.values(entities)),
  );
  const rows = relations.map(({ entities, spans, confidence, ...relation }) => {
    const byRole = Object.entries(entities).map(([role, { key }]) => [role, ids.get(storableText(key))]);
    return { ...relation, confidence: storableReal(confidence), meta: { entities: Object.fromEntries(byRole), spans } };
  });
  await tx`delete from relations where article_id = ${articleId}`;
  await tx`delete from article_entities where article_id = ${articleId} and not tagged`;
  await tx`
    insert into relations (article_id, type, args, confidence, start_offset, end_offset, meta)
    select ${articleId}, r.type, r.args, r.confidence, r.start, r."end", r.meta
    from rows from (json_to_recordset(${jsonText(rows)}::text::json) as (
      type text, args jsonb, confidence real, start integer, "end" integer, meta jsonb)) with ordinality
      as r (type, args, confidence, start, "end", meta, place)
    order by place`;
  await tx`
    insert into article_entities (article_id, entity_id, type, mentions, confidence, tagged)
    select ${articleId}, entity_id, '', count(*), max(confidence), false
    from json_to_recordset(${jsonText(mentionsOf(relations, ids))}::text::json) as m (entity_id bigint, confidence real)
    group by entity_id`;
  await linkArguments(tx, [articleId]);
  const [row] = await tx<{ entities: number }[]>`
    select count(distinct id)::int as entities from relations, jsonb_each(meta -> 'entities') as e (role, id)
    where article_id = ${articleId}`;
  return row?.entities ?? 0;
}

function mentionsOf(relations: readonly NewRelation[], ids: ReadonlyMap<string, number>) {
  return relations.flatMap(({ entities, confidence }) =>
    Object.values(entities).map(({ key }) => ({
      entity_id: ids.get(storableText(key)),
      confidence: storableReal(confidence),
    })),
  );
}

/** Puts the package under `ai` of the article's raw data, and with new relations how many there are of each type. */
async function keepPackage(tx: Tx, articleId: number, report: RelationsReport): Promise<void> {
  const kept = { relations: report.package, re_rid: report.requestId };
  const summary = report.replace ? { relations_summary: countTypes(report.relations) } : {};
  await tx`
    update articles a set updated_at = now(), raw = coalesce(a.raw, '{}') || jsonb_build_object('ai',
      was.ai || ${jsonText(kept)}::text::jsonb
      ${report.replace ? tx`|| jsonb_build_object('ie', was.ie || ${jsonText(summary)}::text::jsonb)` : tx``})
    from (
      select
        case when jsonb_typeof(raw -> 'ai') = 'object' then raw -> 'ai' else '{}' end as ai,
        case when jsonb_typeof(raw #> '{ai,ie}') = 'object' then raw #> '{ai,ie}' else '{}' end as ie
      from articles where article_id = ${articleId}
    ) was
    where a.article_id = ${articleId}`;
}

function countTypes(relations: readonly NewRelation[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of relations) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** A relation as it is reported: offsets count code points of the article's content, end exclusive. */
export type NewRelation = {
  type: string;
  args: { [role: string]: string };
  confidence: number;
  start: number;
  end: number;
  /** The entities that the arguments name, by their roles: each becomes one, where nobody has named it yet. */
  entities: { [role: string]: EntityName };
  /**
   * Says where the arguments stand, by their roles; undefined where nobody said. An argument then stands for the entity
   * that the tagger found inside of it, and for none where it found none.
   */
  spans?: { [role: string]: readonly [start: number, end: number] } | undefined;
};

/** Holds what an extraction of relations gave for an article. */
export type RelationsReport = {
  /** The whole of it, kept with the article. */
  package: Record<string, unknown>;
  requestId: string;
  /** Checked against the content; stored only where `replace`. */
  relations: readonly NewRelation[];
  /** Tells whether the relations take the place of those known. */
  replace: boolean;
};

/**
 * Holds what became of a report: the article is not known; relations, by their places in the report, reach outside its
 * content of `length` code points; or it is stored, with so many relations and distinct entities.
 */
type RelationsOutcome =
  | { status: "unknown" }
  | { status: "outside"; length: number; places: number[] }
  | { status: "stored"; articleId: number; docId: string; stored: number; entities: number };
