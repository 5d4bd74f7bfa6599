import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "./client.ts";
import { migrate, migrations } from "./migrate.ts";
import { admitItems, type TestDatabase, testDatabase, testItem, testStore } from "./testing.ts";

setDefaultTimeout(60_000);

let db: TestDatabase | undefined;

afterEach(() => db?.drop());

describe("migrate", () => {
  test("makes the schema in an empty database, and changes nothing the second time", async () => {
    db = await testDatabase({ empty: true });
    await migrate(db.url);
    await migrate(db.url);
    const sql = connect(db.url, { max: 1 });
    const applied = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
    expect(applied.map((row) => row.name)).toEqual((await migrations()).map((each) => each.name));
    expect(await sql`select * from articles`).toHaveLength(0);
    await sql.end();
  });

  test("lets several processes start at once", async () => {
    db = await testDatabase({ empty: true });
    const { url } = db;
    await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    const sql = connect(url, { max: 1 });
    expect(await sql`select 1 from schema_migrations`).toHaveLength((await migrations()).length);
    await sql.end();
  });

  test("refuses a migration that was edited after it had been applied", async () => {
    db = await testDatabase();
    const sql = connect(db.url, { max: 1 });
    await sql`update schema_migrations set checksum = 'other' where name like '0001%'`;
    await sql.end();
    await expect(migrate(db.url)).rejects.toThrow(/migration 0001\S+ was edited/);
  });

  test("rejects when the database cannot be reached", async () => {
    await expect(migrate("postgres://nobody@127.0.0.1:1/none")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("migration 0008", () => {
  test("takes user names and passwords off the addresses of articles, and leaves the others", async () => {
    const { url, store, sql, close } = await testStore();
    const odd = { url: "https://u:p%40@a.test/@x?y=@z", images: ["http://u@i.test/1.jpg", "http://i.test/@2.jpg"] };
    const plain = { url: "https://a.test/@x?mail=u:p@b.test", images: ["https://i.test/3.jpg"] };
    const [first = 0, second = 0] = await admitItems(store, [testItem(odd), testItem(plain)]);
    await sql`update article_pairs set alias_url = 'HTTPS://u:p@a.test' where article_id = ${first}`;
    await sql`delete from schema_migrations where name like '0008%'`;
    await migrate(url);
    expect(await store.articles.get(first)).toMatchObject({
      url: "https://a.test/@x?y=@z",
      images: ["http://i.test/1.jpg", "http://i.test/@2.jpg"],
      aliases: [{ url: "HTTPS://a.test" }],
    });
    expect(await store.articles.get(second)).toMatchObject(plain);
    await close();
  });
});

describe("migrations", () => {
  test("have names that order them, and are never renumbered", async () => {
    const names = (await migrations()).map((each) => each.name);
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, i) => i + 1));
  });
});
