import type { Sql, Tx } from "../client.ts";
import { jsonText, storableText } from "../json.ts";
import { modelNo } from "../model-no.ts";
import { transaction } from "../transaction.ts";
import type { EntityName, FoundEntity } from "./types.ts";

/** An article with everything that was found in it. */
export type TaggedArticle = { articleId: number; entities: readonly FoundEntity[] };

type Row = FoundEntity & { articleId: number };

/**
 * Replaces the entities that were found in these articles before, and marks their work as done: one transaction, and
 * doing it again changes nothing. Names known already by their key are the same entity everywhere; entities that came
 * with relations stay. That `modelId` found them is kept with each article. An article that was deleted meanwhile is
 * left out. Returns the ids that were written.
 */
export async function putEntities(
  sql: Sql,
  batch: readonly TaggedArticle[],
  { modelId }: { modelId: string },
): Promise<number[]> {
  if (batch.length === 0) return [];
  const model = await modelNo(sql, modelId, "entity_models");
  const work = async (tx: Tx): Promise<number[]> => {
    const present = await tx<{ id: number }[]>`
      select article_id as id from articles where article_id = any(${batch.map(({ articleId }) => articleId)}::bigint[])
      order by article_id for key share`;
    const ids = present.map(({ id }) => id);
    const known = new Set(ids);
    const rows = batch
      .filter(({ articleId }) => known.has(articleId))
      .flatMap(({ articleId, entities }) => entities.map((entity) => ({ articleId, ...entity })));
    // Sent together; Postgres runs them in this order.
    await Promise.all([
      insertNames(tx, rows),
      removeFound(tx, ids),
      insertMentions(tx, rows),
      keepModel(tx, ids, model),
      endWork(tx, ids),
    ]);
    return ids;
  };
  return await transaction(sql, work, { repeatable: true });
}

/** Names that are new, in the order of their keys, so that two transactions never wait for each other in a circle. */
export async function insertNames(tx: Tx, rows: readonly EntityName[]): Promise<void> {
  // of several spellings the first one stays
  const names = new Map(rows.toReversed().map(({ key, name }) => [storableText(key), storableText(name)]));
  await tx`
    insert into entities (name, name_key)
    select name, name_key from unnest(${[...names.values()]}::text[], ${[...names.keys()]}::text[]) as n (name, name_key)
    order by name_key collate "C"
    on conflict (name_key) do nothing`;
}

async function removeFound(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`delete from article_entities where article_id = any(${[...ids]}::bigint[]) and tagged`;
}

async function keepModel(tx: Tx, ids: readonly number[], model: number): Promise<void> {
  await tx`
    insert into entity_finds (article_id, model_no) select id, ${model}::smallint from unnest(${[...ids]}::bigint[]) as id
    on conflict (article_id) do update set model_no = excluded.model_no where entity_finds.model_no <> excluded.model_no`;
}

async function endWork(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`delete from entity_work where article_id = any(${[...ids]}::bigint[])`;
}

async function insertMentions(tx: Tx, rows: readonly Row[]): Promise<void> {
  await tx`
    insert into article_entities (article_id, entity_id, type, mentions, confidence, spans, tagged)
    select i."articleId", e.entity_id, i.type, i.mentions, i.confidence, i.spans, true
    from json_to_recordset(${jsonText(rows)}::text::json) as i (
      "articleId" bigint, key text, type text, mentions integer, confidence real, spans integer[])
    join entities e on e.name_key = i.key
    on conflict (article_id, entity_id, type) do update
    set mentions = excluded.mentions, confidence = excluded.confidence, spans = excluded.spans`;
}
