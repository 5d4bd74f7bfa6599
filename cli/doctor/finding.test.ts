import { expect, test } from "bun:test";
import { findings } from "./finding.ts";

test("findings stand in the order in which they were made, each with its area and state", () => {
  const { list, ok, warn, fail } = findings("database");
  ok("clock", "agrees");
  fail("schema", "is missing");
  warn("disk", "is nearly full");
  expect(list).toEqual([
    { area: "database", name: "clock", state: "ok", detail: "agrees" },
    { area: "database", name: "schema", state: "fail", detail: "is missing" },
    { area: "database", name: "disk", state: "warn", detail: "is nearly full" },
  ]);
  expect(findings("machine").list).toEqual([]);
});

test("a finding shows no credentials of an address", () => {
  const { list, warn } = findings("redis");
  warn("queues", "redis://user:secret@cache.example:6379 does not answer");
  expect(list[0]?.detail).not.toContain("secret");
  expect(list[0]?.detail).toContain("does not answer");
});
