import type { Sql, Tx } from "../client.ts";
import { jsonText, storableReal, storableText } from "../json.ts";
import { modelNo } from "../model-no.ts";
import { transaction } from "../transaction.ts";
import { moveOn } from "../work/move-on.ts";
import type { Step } from "../work/types.ts";
import { linkArguments } from "./link.ts";
import { canBeName, resolveEntities } from "./resolve.ts";
import type { EntityName, FoundEntity } from "./types.ts";

/** An article with everything that was found in it. */
export type TaggedArticle = { articleId: number; entities: readonly FoundEntity[] };

type Row = FoundEntity & { articleId: number };

/**
 * Replaces the entities that were found in these articles before, and ends their step: one idempotent
 * transaction. Names known already are the same entity everywhere; entities that came with relations
 * stay. That `modelId` found them is kept with each article. An article that was deleted meanwhile is
 * left out, and so is a name that is longer than one that can be asked for. Returns the ids that were written.
 */
export async function putEntities(
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

/** What was found under several names of an entity in one article, taken together by its type; the first name stays. */
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
