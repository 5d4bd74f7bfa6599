import { expect, test } from "bun:test";
import { bytes, findings } from "./finding.ts";

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

test.each([
  [0, "0 B"],
  [1, "1 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [1_049, "1.0 kB"],
  [1_550, "1.6 kB"],
  [999_900, "999.9 kB"],
  [1_000_000, "1.0 MB"],
  [2_500_000_000, "2.5 GB"],
  [3e12, "3.0 TB"],
  [4e15, "4000.0 TB"],
])("%p bytes are shown as %s", (count, shown) => {
  expect(bytes(count)).toBe(shown);
});
