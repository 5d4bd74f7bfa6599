import { describe, expect, test } from "bun:test";
import { testItem } from "../testing.ts";
import { type AdmissionItem, decide, type Known, pairKey } from "./statements.ts";

const nothing: Known = { pairs: new Map(), hashes: new Map() };

function known(item: AdmissionItem, articleId: number, fresh = false): Known {
  const article = { articleId, contentHash: item.contentHash, fresh };
  return {
    pairs: fresh ? new Map() : new Map([[pairKey(item), article]]),
    hashes: new Map([[item.contentHash, article]]),
  };
}

describe("decide", () => {
  test("accepts an item that was just stored, under its id", () => {
    const item = testItem();
    expect(decide([item], known(item, 7, true)).results).toEqual([{ status: "accepted", articleId: 7 }]);
  });

  test("counts an item that nobody knows as missing", () => {
    const verdict = decide([testItem()], nothing);
    expect(verdict.results).toEqual([{ status: "accepted", articleId: undefined }]);
    expect(verdict.missing).toBe(1);
  });

  test("calls a known pair with the same content a duplicate, and makes no alias", () => {
    const item = testItem();
    const verdict = decide([item], known(item, 7));
    expect(verdict.results).toEqual([{ status: "duplicate", articleId: 7 }]);
    expect(verdict.aliases).toEqual([]);
  });

  test("calls a known pair with other content a conflict, even when that content is known elsewhere", () => {
    const first = testItem({ externalId: "a" });
    const second = testItem({ externalId: "b" });
    const both: Known = {
      pairs: new Map([...known(first, 1).pairs, ...known(second, 2).pairs]),
      hashes: new Map([...known(first, 1).hashes, ...known(second, 2).hashes]),
    };
    const verdict = decide([{ ...first, contentHash: second.contentHash }], both);
    expect(verdict.results).toEqual([{ status: "conflict", articleId: 1 }]);
    expect(verdict.conflict).toBe(true);
  });

  test("calls known content under a new pair a duplicate of that article, and the pair its alias", () => {
    const item = testItem({ externalId: "a" });
    const other = { ...item, externalId: "b", url: "https://other.example/b" };
    const verdict = decide([other], known(item, 7));
    expect(verdict.results).toEqual([{ status: "duplicate", articleId: 7 }]);
    expect(verdict.aliases).toEqual([
      {
        sourceId: "test-source",
        externalId: "b",
        url: "https://other.example/b",
        publishedAt: item.publishedAt,
        articleId: 7,
      },
    ]);
  });

  test("holds the same rules among the items of one batch", () => {
    const item = testItem({ externalId: "a" });
    const alias = { ...item, externalId: "b" };
    const again = { ...item };
    const aliasAgain = { ...alias };
    const verdict = decide([item, alias, again, aliasAgain], known(item, 7, true));
    expect(verdict.results.map((result) => result.status)).toEqual(["accepted", "duplicate", "duplicate", "duplicate"]);
    expect(verdict.aliases.map((each) => each.externalId)).toEqual(["b"]);
  });

  test("finds a conflict between two items of one batch", () => {
    const item = testItem({ externalId: "a" });
    const verdict = decide([item, testItem({ externalId: "a" })], known(item, 7, true));
    expect(verdict.results.map((result) => result.status)).toEqual(["accepted", "conflict"]);
  });

  test("finds a conflict with a pair that became an alias earlier in the batch", () => {
    const item = testItem({ externalId: "a" });
    const alias = { ...item, externalId: "b" };
    const verdict = decide([item, alias, testItem({ externalId: "b" })], known(item, 7, true));
    expect(verdict.results.map((result) => result.status)).toEqual(["accepted", "duplicate", "conflict"]);
  });

  test("names no article that a conflict has undone, and names those that were there before", () => {
    const fresh = testItem();
    const old = testItem();
    const clash = testItem();
    const state: Known = {
      pairs: new Map([...known(old, 1).pairs, ...known({ ...clash, contentHash: "ff" }, 2).pairs]),
      hashes: new Map([...known(old, 1).hashes, ...known(fresh, 9, true).hashes]),
    };
    const verdict = decide([fresh, old, clash], state);
    expect(verdict.results).toEqual([
      { status: "accepted", articleId: undefined },
      { status: "duplicate", articleId: 1 },
      { status: "conflict", articleId: 2 },
    ]);
    expect(verdict.missing).toBe(0);
  });

  test("fails an item of an unknown source, which then makes no other item a duplicate", () => {
    const item = testItem({ sourceId: "nobody" });
    const same = { ...item, sourceId: "somebody" };
    const verdict = decide([item, same], nothing, new Set(["nobody"]));
    expect(verdict.results.map((result) => result.status)).toEqual(["failed", "accepted"]);
  });
});

describe("pairKey", () => {
  test("keeps apart pairs whose parts join to the same text", () => {
    expect(pairKey({ sourceId: "a", externalId: "bc" })).not.toBe(pairKey({ sourceId: "ab", externalId: "c" }));
  });
});
