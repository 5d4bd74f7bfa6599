import { describe, expect, test } from "bun:test";
import { codeOf, isRetryable, isUnavailable, PostgresStartError } from "./client.ts";
import { admitItems, testItem, testStore } from "./testing.ts";

const coded = (code: string) => Object.assign(new Error("x"), { code });

describe("isUnavailable", () => {
  test("holds for lost and refused connections, a server that stops or starts, and exhausted resources", () => {
    for (const code of ["CONNECTION_CLOSED", "ECONNREFUSED", "CONNECT_TIMEOUT", "57P01", "57P03", "08006", "53100"]) {
      expect(isUnavailable(coded(code))).toBe(true);
    }
  });

  test("holds for a statement that the time limit of the pool has ended", () => {
    for (const code of ["57014", "QUERY_TIMEOUT"]) expect(isUnavailable(coded(code))).toBe(true);
  });

  test("holds for a statement that a time limit of the server has ended", () => {
    for (const code of ["55P03", "25P03", "25P04"]) expect(isUnavailable(coded(code))).toBe(true);
  });

  test("holds for a server that takes no writes, as a standby does", async () => {
    const { url, sql, another, close } = await testStore();
    await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    const error = await admitItems(another(), [testItem()]).catch((reason: unknown) => reason);
    expect(codeOf(error)).toBe("25006");
    expect(isUnavailable(error)).toBe(true);
    await close();
  });

  test("does not hold for faults of a statement, nor for anything that is no such error", () => {
    for (const code of ["23505", "42601", "40P01", "22P02"]) expect(isUnavailable(coded(code))).toBe(false);
    for (const other of [undefined, null, "ECONNREFUSED", new Error("x"), { code: 57 }]) {
      expect(isUnavailable(other)).toBe(false);
    }
  });

  test("holds for an attempt on several addresses that all failed", () => {
    expect(isUnavailable(new AggregateError([coded("ECONNREFUSED"), coded("ETIMEDOUT")]))).toBe(true);
    expect(isUnavailable(new AggregateError([]))).toBe(false);
  });
});

describe("isRetryable", () => {
  test("holds for victims of deadlocks and serialization failures alone", () => {
    expect(isRetryable(coded("40P01"))).toBe(true);
    expect(isRetryable(coded("40001"))).toBe(true);
    expect(isRetryable(coded("23505"))).toBe(false);
  });
});

describe("codeOf", () => {
  test("reads the code of an error, and none where there is none", () => {
    expect(codeOf(new PostgresStartError("ENOSPC", "full"))).toBe("ENOSPC");
    expect(codeOf(new Error("x"))).toBe("");
    expect(codeOf(undefined)).toBe("");
  });
});

describe("a pool", () => {
  test("asks again over the connection that was used last, so that the others may be closed", async () => {
    const { sql, close } = await testStore();
    const backend = async () => Number((await sql`select pg_backend_pid() as pid`)[0]?.pid);
    expect(new Set(await Promise.all(Array.from({ length: 4 }, backend))).size).toBeGreaterThan(1);
    const first = await backend();
    for (let i = 0; i < 8; i++) expect(await backend()).toBe(first);
    await close();
  });
});
