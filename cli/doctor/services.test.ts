import { expect, test } from "bun:test";
import type { DatabaseFacts } from "@isnad/lib/store";
import { findings, judge } from "./services.ts";

const FACTS: DatabaseFacts = {
  version: "18.1",
  versionNumber: 180_001,
  skewMs: 3,
  uncertainMs: 1,
  bytes: 1e7,
  connections: 10,
  maxConnections: 100,
  applied: 16,
  missing: [],
  unknown: [],
  bearing: [],
  articles: { indexed: 5 },
  setAside: [],
  followers: [],
  unusual: [],
};

const state = (over: Partial<DatabaseFacts>, name: string) =>
  judge({ ...FACTS, ...over }).find((finding) => finding.name === name)?.state;

test("a clock that is off by more than its uncertainty is told, and fails where leases go wrong", () => {
  expect(state({ skewMs: -900 }, "clock")).toBe("ok");
  expect(state({ skewMs: 4_000, uncertainMs: 3_500 }, "clock")).toBe("ok");
  expect(state({ skewMs: -2_000 }, "clock")).toBe("warn");
  expect(state({ skewMs: 60_000 }, "clock")).toBe("fail");
});

test("a server that is too old, or has no connections left, fails", () => {
  expect(state({ versionNumber: 130_020 }, "version")).toBe("fail");
  expect(state({ connections: 75 }, "connections")).toBe("warn");
  expect(state({ connections: 95 }, "connections")).toBe("fail");
  expect(judge(FACTS).every((finding) => finding.state === "ok")).toBe(true);
});

test("an index that is filled, healed or cannot follow is told with the reason, and one that follows is well", () => {
  const follower = { name: "keyword@a", seq: 9, resets: 0, reason: null, wanted: null, behind: 0, silentS: 1 };
  const told = (over: object) =>
    judge({ ...FACTS, followers: [{ ...follower, state: "following", ...over }] }).find(
      ({ name }) => name === "keyword@a",
    );
  expect(told({})).toMatchObject({ state: "ok" });
  expect(told({ state: "healing", reason: "the log is of another history", behind: 7 })).toMatchObject({
    state: "warn",
    detail: "healing, 7 changes behind: the log is of another history",
  });
  expect(told({ state: "failing", reason: "the disk is full" })).toMatchObject({ state: "fail" });
  expect(told({ silentS: 60 })).toMatchObject({ state: "warn", detail: "said nothing for 60 s" });
});

test("what was set aside is told with its stage, its reason and the command that tries it again", () => {
  const setAside = [{ stage: "entities", articles: 3, reason: "the model took too long" }];
  expect(judge({ ...FACTS, setAside }).find(({ name }) => name === "set aside")).toMatchObject({
    state: "warn",
    detail: "3 articles in stage entities, the newest for: the model took too long; articles:retry tries them again",
  });
});

test("a source that has gone quiet or doubled is named with what is usual", () => {
  const unusual = [
    { key: "alwatan", state: "quiet" as const, lastDay: 1, usual: 34.5 },
    { key: "wire", state: "doubled" as const, lastDay: 90, usual: 40 },
  ];
  expect(judge({ ...FACTS, unusual }).filter(({ name }) => name === "source")).toEqual([
    {
      ...{ area: "PostgreSQL", name: "source", state: "warn" },
      detail: "alwatan has gone quiet: 1 in 24 hours, usually 35",
    },
    {
      ...{ area: "PostgreSQL", name: "source", state: "warn" },
      detail: "wire has doubled: 90 in 24 hours, usually 40",
    },
  ]);
});

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
