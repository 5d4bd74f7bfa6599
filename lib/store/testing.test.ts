import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "./client.ts";
import { testDatabase, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

describe("testDatabase", () => {
  test("gives each caller a database of its own, with the schema", async () => {
    const [a, b] = await Promise.all([testDatabase(), testDatabase()]);
    expect(a.url).not.toBe(b.url);
    const sql = connect(a.url, { max: 1 });
    await sql`insert into sources (key, name) values ('only-here', 'x')`;
    await sql.end();
    const other = connect(b.url, { max: 1 });
    expect(await other`select 1 from sources`).toHaveLength(0);
    await other.end();
    await Promise.all([a.drop(), b.drop()]);
  });

  test("drops it even while somebody is connected, and only once", async () => {
    const keeper = await testDatabase({ empty: true });
    const db = await testDatabase({ empty: true });
    const sql = connect(db.url, { max: 1 });
    await sql`select 1`;
    await db.drop();
    await db.drop();
    await expect(sql`select 1`.then((rows) => rows)).rejects.toBeDefined();
    await sql.end({ timeout: 1 });
    await keeper.drop();
  });
});

describe("testStore", () => {
  test("gives stores and statements over one database, which is gone when it is closed", async () => {
    const keeper = await testDatabase({ empty: true });
    const { url, store, another, sql, close } = await testStore();
    await store.sources.upsert([{ key: "shared" }]);
    expect((await another().sources.list()).map(({ key }) => key)).toEqual(["shared"]);
    expect(await sql`select 1 from sources`).toHaveLength(1);
    await close();
    const gone = connect(url, { max: 1 });
    await expect(gone`select 1`.then((rows) => rows)).rejects.toMatchObject({ code: "3D000" });
    await gone.end({ timeout: 1 });
    await keeper.drop();
  });
});
