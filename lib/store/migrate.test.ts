import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "./client.ts";
import { migrate, migrations } from "./migrate.ts";
import { openStore } from "./store.ts";
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

describe("migration 0011", () => {
  test("leaves what was in work to whoever comes once its lease has ended, and what waits as it was", async () => {
    const { url, drop } = await testDatabase({ empty: true });
    const sql = connect(url, { max: 1 });
    const all = await migrations();
    for (const { name, text } of all) if (name < "0011") await sql.unsafe(text).simple();
    await sql`create table schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const older = all.filter(({ name }) => name < "0011").map(({ name, checksum }) => ({ name, checksum }));
    await sql`insert into schema_migrations ${sql(older)}`;
    await sql`insert into scraper_frontier (profile_id, url_key, url, entry, stamp, owner, due_at, attempts) values
      ('p', '\x01', 'https://a.test/held', '{}', '', 'dead', now() + interval '1 minute', 1),
      ('p', '\x02', 'https://a.test/waits', '{}', '', null, now(), 0)`;
    await sql`insert into pull_runs (source_key, status, trigger, owner, attempts, beaten_at) values
      ('a', 'running', 'cli', 'dead', 1, now() - interval '1 hour'), ('b', 'queued', 'cli', null, 0, null)`;
    await sql`insert into outbox_consumers (consumer, position) values ('c', 1)`;
    await sql`insert into outbox (event_id, type, article_id, article) values (1, 'article.deleted', 1, '{}')`;
    await sql`insert into outbox_deliveries (consumer, article_id, event_id, attempts) values ('c', 1, 1, 3)`;

    await migrate(url);

    const store = openStore(url);
    const take = () => store.scraper.frontier.take("p", { owner: "o", limit: 5, leaseS: 60 });
    expect(await take()).toMatchObject([{ url: "https://a.test/waits" }]);
    await sql`update scraper_frontier set due_at = now(), lease_until = now() where lease_owner = 'dead'`;
    expect(await take()).toMatchObject([{ url: "https://a.test/held", attempts: 1 }]);
    const pulls = [];
    for (const owner of ["x", "y"]) pulls.push(await store.pulls.claim({ owner, leaseS: 60 }));
    expect(pulls).toMatchObject([
      { sourceKey: "a", attempts: 2 },
      { sourceKey: "b", attempts: 1 },
    ]);
    const events = await store.outbox.claim("c", { owner: "o", limit: 5, leaseS: 60 });
    expect(events).toMatchObject([{ id: 1, attempts: 3 }]);
    await store.close();
    await sql.end();
    await drop();
  });
});

describe("migrations", () => {
  test("have names that order them, and are never renumbered", async () => {
    const names = (await migrations()).map((each) => each.name);
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, i) => i + 1));
  });
});
