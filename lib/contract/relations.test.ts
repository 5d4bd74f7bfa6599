import { describe, expect, test } from "bun:test";
import { RelationsPackage, TextRelations } from "./relations.ts";

const relation = (over: object = {}) => ({
  ...{ type: "visit", args: { agent: "the minister" }, confidence: 0.9, offsets: { start: 3, end: 9 } },
  ...over,
});
const told = (over: object = {}) => ({ doc_id: "1", enrichment_status: "ok", relations: [relation()], ...over });

function faults(value: unknown): string[] {
  const { error } = RelationsPackage.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

/** An object so many levels deep. */
function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level++) value = { value };
  return value;
}

describe("a package of relations", () => {
  test("is kept with what nobody here knows of", () => {
    const whole = told({ worker: "w-1", relations: [relation({ note: { a: [1] } })] });
    expect(RelationsPackage.parse(whole)).toEqual(RelationsPackage.parse(structuredClone(whole)));
    expect(RelationsPackage.parse(whole)).toMatchObject(whole);
  });

  test("has relations where it is ok, and may have none otherwise", () => {
    expect(faults(told({ relations: undefined }))).toEqual(["relations: is required with enrichment_status ok"]);
    for (const enrichment_status of ["cached", "timeout", "error", "skipped"])
      expect(faults({ doc_id: "1", enrichment_status })).toEqual([]);
    expect(faults({ doc_id: "1", enrichment_status: "done" })).toHaveLength(1);
  });

  test.each([
    [relation({ confidence: 1 }), relation({ confidence: 1.01 }), "relations.0.confidence"],
    [relation({ confidence: 0 }), relation({ confidence: -0.01 }), "relations.0.confidence"],
    [relation({ offsets: { start: 3, end: 3 } }), relation({ offsets: { start: 3, end: 2 } }), "relations.0.offsets"],
    [relation(), relation({ offsets: { start: 0, end: 200_001 } }), "relations.0.offsets.end"],
    [relation({ type: "t".repeat(255) }), relation({ type: "t".repeat(256) }), "relations.0.type"],
    [
      relation({ args: { a: "x".repeat(10_000) } }),
      relation({ args: { a: "x".repeat(10_001) } }),
      "relations.0.args.a",
    ],
    [
      relation({ args: Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`r${n}`, "a"])) }),
      relation({ args: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`r${n}`, "a"])) }),
      "relations.0.args",
    ],
    [
      relation(Object.fromEntries(Array.from({ length: 96 }, (_, n) => [`f${n}`, n]))),
      relation(Object.fromEntries(Array.from({ length: 97 }, (_, n) => [`f${n}`, n]))),
      "relations.0",
    ],
  ])("has a limit: %#", (good, bad, path) => {
    expect(faults(told({ relations: [good] }))).toEqual([]);
    expect(faults(told({ relations: [bad] }))[0]?.split(": ")[0]).toBe(path);
  });

  test("is no deeper than a hundred levels", () => {
    expect(faults(told({ extra: nested(99) }))).toEqual([]);
    expect(faults(told({ extra: nested(100) }))).toEqual([": must be nested at most 100 levels deep"]);
  });

  test("names its article in 1 to 64 characters", () => {
    expect(faults(told({ doc_id: "d".repeat(64) }))).toEqual([]);
    expect(RelationsPackage.parse(told({ doc_id: 7 }))).toMatchObject({ doc_id: "7" });
    for (const doc_id of ["", "d".repeat(65), 0, 1.5]) expect(faults(told({ doc_id }))).toHaveLength(1);
    expect(faults(told({ enrich_ms: -1 }))).toHaveLength(1);
  });
});

test("what a text tells of may leave out what an older service does not say", () => {
  const place = { start: 0, end: 5 };
  const said = {
    ...{ predicate: "place", subject: "افتتح", object: "عمان", event: "launch", confidence: 0.8 },
    offsets: { predicate: null, subject: place, object: place },
  };
  expect(TextRelations.parse({ relations: [said] }).relations).toEqual([
    expect.objectContaining({ event_id: 0, sentence: "", subject_type: null, object_type: null }),
  ]);
  expect(TextRelations.safeParse({ relations: [{ ...said, predicate: "owner" }] }).success).toBe(false);
  expect(TextRelations.safeParse({ relations: [{ ...said, event: "picnic" }] }).success).toBe(false);
});
