import { type AdmissionItem, openStore } from "@isnad/lib/store";
import postgres from "postgres";
import { type Figure, interleaved, median } from "./rounds.ts";
import {
  articlesPerSecond,
  BATCHES,
  CONNECTIONS,
  createRawArticles,
  durableDatabase,
  inParallel,
  makeItems,
  rawRow,
  ROWS,
} from "./store-articles.ts";

/**
 * What deciding over items costs on top of storing them: `admit` against plain inserts of 50 rows into a table of the
 * same columns, indexes and constraints, among them that a pair of source and external id is unique. Both over two
 * connections, fsync on.
 */
export async function admission(rounds: number): Promise<Figure[]> {
  const database = await durableDatabase();
  const sql = postgres(database.url, { max: CONNECTIONS, onnotice: () => {} });
  const store = openStore(database.url, { max: CONNECTIONS });
  try {
    await createRawArticles(sql);
    await store.admission.admit(makeItems(ROWS), { requireKnownSource: false });
    const admit = async (items: AdmissionItem[]): Promise<void> => {
      const outcome = await store.admission.admit(items, { requireKnownSource: false });
      const accepted = "results" in outcome && outcome.results.every((result) => result.status === "accepted");
      if (!accepted) throw new Error("a new article was not accepted");
    };
    const insert = async (items: AdmissionItem[]): Promise<void> => {
      await sql`insert into raw_articles ${sql(items.map((item) => wholeRow(sql, item)))}`;
    };
    const total = (rounds + 2) * BATCHES * CONNECTIONS * 2;
    const batches = Array.from({ length: total }, () => makeItems(ROWS));
    const times = await interleaved(
      [
        { name: "admit", run: () => inParallel(() => admit(batches.pop() ?? [])) },
        { name: "raw", run: () => inParallel(() => insert(batches.pop() ?? [])) },
      ],
      { rounds },
    );
    const rate = (name: string) => articlesPerSecond(median(times.get(name) ?? []));
    return [
      {
        name: "store: admission / raw inserts",
        value: rate("admit") / rate("raw"),
        bound: { atLeast: 0.85 },
        detail: `${Math.round(rate("admit"))} against ${Math.round(rate("raw"))} articles/s, 50 a batch, 2 connections`,
      },
    ];
  } finally {
    await store.close();
    await sql.end();
    await database.drop();
  }
}

function wholeRow(sql: postgres.Sql, item: AdmissionItem) {
  const raw = item.raw === null ? null : sql.json(JSON.parse(JSON.stringify(item.raw)));
  return { ...rawRow(item), authors: item.authors, images: item.images, raw };
}
