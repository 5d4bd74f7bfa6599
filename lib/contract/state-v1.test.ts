import { expect, test } from "bun:test";
import "../service/http/mod.ts";
import { KeyRecord, SCOPES, ServiceState, StackState } from "./state-v1.ts";
import { looseFields } from "./testing-fields.ts";

const AT = "2026-01-05T08:00:00.000Z";
const SERVICE = {
  ...{ name: "api", status: "degraded", version: "0.2.0", failing: [{ name: "database", reason: "away" }] },
  components: [{ name: "model", kind: "embedding", version: "1", licence: "MIT" }],
};
const KEY = {
  ...{ key_id: "k", name: "Desk", scopes: ["read"], rate_per_min: 60, created_at: AT },
  ...{ expires_at: AT, last_used_at: AT },
};
const STACK = {
  services: [SERVICE],
  articles: { pending: 1, stored: 2 },
  stages: [{ stage: "analysis", waiting: 1, set_aside: 0 }],
  set_aside: [{ article_id: 1, stage: "analysis", attempts: 5, reason: "why", at: AT }],
  indexes: [{ name: "keyword", state: "following", behind: 0, reason: "why" }],
  sources: { quiet: 0, doubled: 1 },
  storage: { database_bytes: 1, disk_free_bytes: 2, disk_bytes: 3 },
  keys: [KEY],
};
const RECORD = { key_id: "k", hash: "ab", scopes: ["read", "admin"], rate_per_min: 60, expires_at: AT };

test.each([
  ["a service", ServiceState, SERVICE, ["version", "failing[].reason"]],
  [
    "the stack",
    StackState,
    STACK,
    [
      ...["services[].version", "services[].failing[].reason", "set_aside[].reason", "indexes[].reason"],
      ...["storage.disk_free_bytes", "storage.disk_bytes"],
      ...["keys[].rate_per_min", "keys[].expires_at", "keys[].last_used_at"],
    ],
  ],
  ["a key", KeyRecord, RECORD, ["rate_per_min", "expires_at"]],
])("%s lacks nothing and has null nowhere but where callers are told so", (_, schema, example, nullable) => {
  expect(looseFields(schema, example)).toEqual({ optional: [], nullable, any: [] });
});

test("services, their states and those of indexes are named, and keys are good for what there is alone", () => {
  const isService = (over: object) => ServiceState.safeParse({ ...SERVICE, ...over }).success;
  expect(["ok", "degraded", "away", "up"].map((status) => isService({ status }))).toEqual([true, true, true, false]);
  expect(["api", "retrieval", "nlp", "edge", "scraper", "workers"].map((name) => isService({ name }))).toEqual([
    ...[true, true, true, true, true, false],
  ]);
  const states = ["filling", "healing", "following", "failing", "silent", "ready"];
  const [index] = STACK.indexes;
  expect(states.map((state) => StackState.safeParse({ ...STACK, indexes: [{ ...index, state }] }).success)).toEqual([
    ...[true, true, true, true, true, false],
  ]);
  expect(KeyRecord.safeParse({ ...RECORD, scopes: [...SCOPES] }).success).toBe(true);
  expect(KeyRecord.safeParse({ ...RECORD, scopes: ["write"] }).success).toBe(false);
});
