import { openStore, type Store } from "@isnad/lib/store";
import postgres from "postgres";
import { type Figure, interleaved, median } from "./rounds.ts";
import { durableDatabase, makeItems } from "./store-articles.ts";

const ROWS = 50;
const BATCHES = 8;
const CHUNKS = 3;
const DIMS = 256;

/**
 * Returns what the event of each article costs in the transaction that indexes it: that transaction, over 50 articles
 * of three chunks, against one that writes the same chunks and states and no event. fsync on.
 */
export async function outbox(rounds: number): Promise<Figure[]> {
  const database = await durableDatabase();
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const store = openStore(database.url, { max: 2 });
  try {
    const batches: number[][] = [];
    for (let i = 0; i < (rounds + 2) * BATCHES * 2 + 1; i++) batches.push(await normalized(store));
    const vector = Float32Array.from({ length: DIMS }, (_, i) => Math.sin(i));
    const chunks = Array.from({ length: CHUNKS }, (_, no) => ({ no, start: no * 100, end: no * 100 + 100, vector }));
    const commit = async (ids: number[]): Promise<void> => {
      const batch = ids.map((articleId) => ({ articleId, chunks }));
      await store.indexing.commit(batch, { modelId: "bench@1" });
    };
    await commit(batches.pop() ?? []);
    const times = await interleaved(
      [
        { name: "with", run: () => each(() => commit(batches.pop() ?? [])) },
        { name: "without", run: () => each(() => commitWithoutEvents(sql, batches.pop() ?? [], vector)) },
      ],
      { rounds },
    );
    const took = (name: string) => median(times.get(name) ?? []) / BATCHES;
    return [
      {
        name: "store: cost of the outbox row",
        value: took("with") / took("without") - 1,
        bound: { atMost: 0.15 },
        detail: `${took("with").toFixed(1)} against ${took("without").toFixed(1)} ms, 50 articles of ${CHUNKS} chunks`,
      },
    ];
  } finally {
    await store.close();
    await sql.end();
    await database.drop();
  }
}

async function normalized(store: Store): Promise<number[]> {
  const outcome = await store.admission.admit(makeItems(ROWS), { requireKnownSource: false });
  const ids = "results" in outcome ? outcome.results.flatMap((r) => ("articleId" in r ? [r.articleId ?? 0] : [])) : [];
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  return ids;
}

async function each(once: () => Promise<void>): Promise<void> {
  for (let i = 0; i < BATCHES; i++) await once();
}

/** The statements of the store's transaction, but for the insert into the outbox. */
async function commitWithoutEvents(sql: postgres.Sql, ids: number[], vector: Float32Array): Promise<void> {
  const vectors = Buffer.from(
    Float16Array.from({ length: ids.length * CHUNKS * DIMS }, (_, i) => vector[i % DIMS] ?? 0).buffer,
  );
  const bytes = DIMS * 2;
  const spread = ids.flatMap((id) => Array.from({ length: CHUNKS }, (_, no) => ({ id, no })));
  await sql.begin(async (tx) => {
    await tx`select article_id as id, state = 'indexed' as indexed from articles
      where article_id = any(${ids}::bigint[]) and state in ('normalized', 'indexed') order by article_id for update`;
    await Promise.all([
      tx`select pg_advisory_xact_lock(1)`,
      tx`insert into chunks (article_id, model_no, chunk_no, start_offset, end_offset, seq, vector)
        select article_id, 1, chunk_no, start_offset, end_offset, nextval('change_seq'),
          substring(${vectors}::bytea from ((n - 1) * ${bytes} + 1)::int for ${bytes}::int)
        from unnest(${spread.map((c) => c.id)}::bigint[], ${spread.map((c) => c.no)}::int[],
          ${spread.map((c) => c.no * 100)}::int[], ${spread.map((c) => c.no * 100 + 100)}::int[])
          with ordinality as c (article_id, chunk_no, start_offset, end_offset, n)`,
      tx`update articles set state = 'indexed', state_reason = null, updated_at = now()
        where article_id = any(${ids}::bigint[])`,
      tx`select pg_notify('isnad_chunks', '')`,
    ]);
  });
}
