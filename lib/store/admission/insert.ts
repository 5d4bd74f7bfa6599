import type { Tx } from "../client.ts";
import { inOrder, insertColumns, insertValues, itemParameters, itemRows } from "./rows.ts";
import type { AdmissionItem } from "../articles/columns.ts";

/** A row that this request inserted; `paired` unless its pair was known already. */
export type Inserted = { articleId: number; contentHash: string; paired: boolean };

const statement = `
  with stored as (
    insert into articles (${insertColumns})
    select ${insertValues} from ${itemRows}
    on conflict (content_hash) do nothing
    returning article_id, source_id, external_id, content_hash
  ), paired as (
    insert into article_pairs (source_id, external_id, article_id)
    select source_id, external_id, article_id from stored order by source_id, external_id
    on conflict do nothing
    returning article_id
  )
  select stored.article_id as "articleId", encode(content_hash, 'hex') as "contentHash",
    paired.article_id is not null as paired
  from stored left join paired using (article_id)`;

/**
 * Inserts the items' articles and their pairs with one statement, leaving out what is known by content. Waits for
 * other transactions that insert the same content or pair. The items must have distinct hashes.
 */
export async function insertArticles(tx: Tx, items: readonly AdmissionItem[]): Promise<Inserted[]> {
  if (items.length === 0) return [];
  return await tx.unsafe<Inserted[]>(statement, itemParameters(inOrder(items)), { prepare: true });
}
