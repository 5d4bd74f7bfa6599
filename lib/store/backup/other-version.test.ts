import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Sql } from "../client.ts";
import { openStore } from "../store.ts";
import { admitItems, indexedArticles, rowsOf, testDatabase, testItem, type TestStore, testStore } from "../testing.ts";
import {
  hasOtherPostgres,
  type OtherPostgres,
  otherPostgres,
  sayThatOtherPostgresIsMissing,
} from "../testing-faults.ts";
import { restoreBackupFile, writeBackupFile } from "./load.ts";

setDefaultTimeout(300_000);

sayThatOtherPostgresIsMissing();

describe.skipIf(!hasOtherPostgres)("onto a PostgreSQL of another version", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-other-version-"));
  const { signal } = new AbortController();
  let source: TestStore;
  let other: OtherPostgres;
  let before: Record<string, string[]>;

  beforeAll(async () => {
    source = await testStore();
    await indexedArticles(source.store, 20);
    await admitItems(source.store, [testItem({ title: "\\.", content: "tab\t, \\N, «اقتباس» 🌊 ".repeat(20) })]);
    before = await rowsOf(source.sql);
    other = await otherPostgres();
  });

  afterAll(async () => {
    other.stop();
    await source.close();
    rmSync(dir, { recursive: true });
  });

  async function rowsAt<T>(url: string, look: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = connect(url, { max: 1 });
    try {
      return await look(sql);
    } finally {
      await sql.end();
    }
  }

  test("a backup gives the same rows there, articles are admitted there, and its backup gives them here", async () => {
    const forth = join(dir, "forth.isnad");
    await writeBackupFile(source.url, forth, { signal });
    await restoreBackupFile(other.url, forth, {});
    const there = await rowsAt(other.url, async (sql) => {
      const [version] = await sql<
        { major: number }[]
      >`select current_setting('server_version_num')::int / 10000 as major`;
      expect(version?.major).toBe(other.major);
      return rowsOf(sql);
    });
    expect(there).toEqual(before);

    const store = openStore(other.url);
    await indexedArticles(store, 5);
    await store.close();
    const back = join(dir, "back.isnad");
    await writeBackupFile(other.url, back, { signal });
    const here = await testDatabase({ empty: true });
    await restoreBackupFile(here.url, back, {});
    const grown = await rowsAt(here.url, rowsOf);
    expect(grown).toEqual(await rowsAt(other.url, rowsOf));
    expect(grown.articles).toHaveLength((before.articles?.length ?? 0) + 5);
    await here.drop();
  });
});
