import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "./client.ts";
import { testDatabase } from "./testing.ts";
import { watchWrites } from "./writes.ts";

setDefaultTimeout(60_000);

const database = await testDatabase();
const sql = connect(database.url, { max: 2 });
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const full = Object.assign(new Error("no room"), { code: "53100" });
const locked = Object.assign(new Error("a row is held"), { code: "55P03" });
const fail = (error: Error) => () => Promise.reject(error);

test("the database is asked once a second, and one answer serves all who ask meanwhile", async () => {
  let at = 0;
  const writes = watchWrites(sql, () => at);
  const stamp = async () => (await sql<{ at: string }[]>`select at::text from write_probe`)[0]?.at;
  await Promise.all([writes.check(), writes.check()]);
  const first = await stamp();
  await writes.check();
  expect(await stamp()).toBe(first);
  at = 1_001;
  await writes.check();
  expect(await stamp()).not.toBe(first);
});

test("a refused write counts for ten seconds, or until one goes through; a held row does not count", async () => {
  let at = 0;
  const writes = watchWrites(sql, () => at);
  await expect(writes.noting(fail(locked))).rejects.toBe(locked);
  await writes.check();
  await expect(writes.noting(fail(full))).rejects.toBe(full);
  await expect(writes.check()).rejects.toBe(full);
  expect(await writes.noting(async () => 7)).toBe(7);
  await writes.check();
  await expect(writes.noting(fail(full))).rejects.toBe(full);
  at = 10_000;
  await writes.check();
});
