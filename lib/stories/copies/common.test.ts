import { describe, expect, test } from "bun:test";
import { type Carrier, COMMON_GROUPS, fullAnchors, groupsOf, groupsWith } from "./common.ts";

const carrier = (id: number, shared: readonly number[], anchors = 100): Carrier => ({ id, shared, anchors });

describe("what several groups have", () => {
  test("an anchor of articles that have nothing else in common counts each of them", () => {
    const groups = groupsWith([carrier(1, [7, 1]), carrier(2, [7, 2]), carrier(3, [7])], new Map());
    expect([...groups]).toEqual([[7, 3]]);
  });

  test("articles that are joined count once, those of another group apart", () => {
    const joined = new Map([
      [1, 1],
      [2, 1],
      [3, 3],
    ]);
    expect(groupsWith([carrier(1, [7]), carrier(2, [7])], joined).get(7)).toBeUndefined();
    expect(groupsWith([carrier(1, [7]), carrier(2, [7]), carrier(3, [7])], joined).get(7)).toBe(2);
  });

  test("articles with nine in ten of the anchors of the shorter in common count once", () => {
    const ten = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const longer = carrier(1, ten, 40);
    expect(groupsWith([longer, carrier(2, ten.slice(0, 9), 10)], new Map()).size).toBe(0);
    expect(groupsWith([longer, carrier(2, ten.slice(0, 8), 10)], new Map()).get(0)).toBe(2);
  });

  test("no more groups are counted than make it common", () => {
    const many = Array.from({ length: COMMON_GROUPS + 4 }, (_, i) => carrier(i, [7]));
    expect(groupsWith(many, new Map()).get(7)).toBe(COMMON_GROUPS);
  });

  test("an anchor of one article, or of none, is of no groups", () => {
    expect(groupsWith([], new Map()).size).toBe(0);
    expect(groupsWith([carrier(1, [7, 8])], new Map()).size).toBe(0);
  });
});

test("an anchor is full once 48 articles are listed for it", () => {
  const listed = (count: number): Carrier[] => Array.from({ length: count }, (_, i) => carrier(i, [7, 1000 + i]));
  expect([...fullAnchors(listed(47))]).toEqual([]);
  expect([...fullAnchors(listed(48))]).toEqual([7]);
});

describe("groups by links", () => {
  const groupsBy = (...links: [number, number][]) =>
    Object.fromEntries(groupsOf(links.map(([articleId, otherId]) => ({ articleId, otherId }))));

  test("a group has the least id of it, in whichever order its links come", () => {
    expect(groupsBy([5, 4], [9, 5], [4, 3])).toEqual({ 3: 3, 4: 3, 5: 3, 9: 3 });
    expect(groupsBy([4, 3], [9, 5], [5, 4])).toEqual({ 3: 3, 4: 3, 5: 3, 9: 3 });
  });

  test("a link joins groups that were apart", () => {
    expect(groupsBy([1, 2], [8, 9])).toEqual({ 1: 1, 2: 1, 8: 8, 9: 8 });
    expect(groupsBy([1, 2], [8, 9], [9, 2])).toEqual({ 1: 1, 2: 1, 8: 1, 9: 1 });
  });

  test("without links there are none, and a link to itself is a group of one", () => {
    expect(groupsBy()).toEqual({});
    expect(groupsBy([3, 3])).toEqual({ 3: 3 });
  });
});
