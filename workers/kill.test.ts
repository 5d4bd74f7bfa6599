import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnService } from "@isnad/lib/service/process/testing";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { until } from "./testing/until.ts";

setDefaultTimeout(120_000);

const { url, store, sql, close } = await testStore();
const dir = mkdtempSync(join(tmpdir(), "isnad-workers-kill-"));

afterAll(async () => {
  await close();
  rmSync(dir, { recursive: true, force: true });
});

const start = () =>
  spawnService(new URL("./main.ts", import.meta.url), {
    DATABASE_URL: url,
    DATA_DIR: dir,
    PULL_INTERVAL_S: "0",
  });

/** Each is killed when this stage holds work: two stages, others each time. */
const MOMENTS = ["ingestion", "analysis", "entities", "rerank"].sort(() => Math.random() - 0.5).slice(0, 2);
const CONTENT = "Angela Merkel met Emmanuel Macron in Paris on Tuesday.";

const held = async (stage: string) =>
  (await sql`select from work where stage = ${stage} and lease_until > now() limit 1`).length > 0;

test(`workers that are killed in stages ${MOMENTS.join(" and ")} lose nothing and do nothing twice that readers see`, async () => {
  const items = Array.from({ length: 8 }, (_, n) => testItem({ content: `${CONTENT} ${n}.` }));
  const ids = await admitItems(store, items);
  for (const stage of MOMENTS) {
    const worker = start();
    await until(`stage ${stage} holds work, or nothing is left`, async () => (await held(stage)) || !(await isLeft()));
    // A moment somewhere in its run.
    await Bun.sleep(Math.random() * 100);
    expect(await worker.end("SIGKILL")).toBeNull();
    // The lease runs by the clock of the database: as if it had run out meanwhile.
    await sql`update work set lease_until = now() where lease_owner is not null`;
  }
  const last = start();
  await until("no work is left", async () => !(await isLeft()), 100_000);
  expect(await last.end()).toBe(0);

  expect((await store.articles.countByState()).indexed).toBe(ids.length);
  const [counts] = await sql`
    select (select count(*)::int from outbox where type = 'article.upserted') as events,
      (select count(distinct (article_id, chunk_no))::int from chunks) as passages, (select count(*)::int from chunks) as chunks,
      (select count(distinct article_id)::int from article_entities where tagged) as named,
      (select count(*)::int from rerank_vectors) as read`;
  expect(counts).toMatchObject({ events: ids.length, named: ids.length, read: ids.length });
  expect(counts?.chunks).toBe(counts?.passages);
});

const isLeft = async () => (await sql`select from work limit 1`).length > 0;
