import { describe, expect, test } from "bun:test";
import { type Link, type Member, partition } from "./partition.ts";

const HOUR_MS = 3_600_000;

const members = (...hours: number[]): Member[] => hours.map((hour, i) => ({ id: i + 1, at: hour * HOUR_MS }));
const link = (a: number, b: number, weight: number): Link => ({ a, b, weight });
const parts = (all: readonly Member[], links: readonly Link[]): number[][] =>
  partition(all, links).map((part) => part.map(({ id }) => id));

describe("partition", () => {
  test("articles without links are alone, linked ones are together, in the order of their times", () => {
    expect(parts(members(2, 1, 0), [link(1, 2, 3)])).toEqual([[3], [2, 1]]);
    expect(parts(members(0, 1), [link(1, 2, -1)])).toEqual([[1], [2]]);
    expect(parts([], [])).toEqual([]);
  });

  test("one likeness does not join two events", () => {
    const links = [...[link(1, 2, 4), link(1, 3, 4), link(2, 3, 4)], ...[link(4, 5, 4), link(4, 6, 4), link(5, 6, 4)]];
    expect(parts(members(0, 0, 0, 0, 0, 0), [...links, link(3, 4, 3)])).toHaveLength(2);
    const all = [1, 2, 3].flatMap((a) => [4, 5, 6].map((b) => link(a, b, 1)));
    expect(parts(members(0, 0, 0, 0, 0, 0), [...links, ...all])).toHaveLength(1);
  });

  test("an article joins where several are like it, though not all are", () => {
    const links = [1, 2, 3, 4].flatMap((a) => [1, 2, 3, 4].filter((b) => b > a).map((b) => link(a, b, 4)));
    expect(parts(members(0, 0, 0, 0, 0), [...links, link(4, 5, 3), link(3, 5, 3)])).toHaveLength(1);
    expect(parts(members(0, 0, 0, 0, 0), [...links, link(4, 5, 1)])).toHaveLength(2);
  });

  test("two articles alone need more evidence than two groups, whose mean is lower", () => {
    expect(parts(members(0, 0), [link(1, 2, -0.1)])).toHaveLength(2);
    expect(parts(members(0, 0), [link(1, 2, 0.1)])).toHaveLength(1);
    const inside = [0, 5].flatMap((from) =>
      [1, 2, 3, 4, 5].flatMap((a) => [1, 2, 3, 4, 5].filter((b) => b > a).map((b) => link(from + a, from + b, 4))),
    );
    const across = (weight: number) => [1, 2, 3, 4, 5].flatMap((a) => [6, 7, 8, 9, 10].map((b) => link(a, b, weight)));
    const ten = members(...new Array<number>(10).fill(0));
    expect(parts(ten, [...inside, ...across(-1)])).toHaveLength(1);
    expect(parts(ten, [...inside, ...across(-1.5)])).toHaveLength(2);
  });

  test("a story goes on while reports come within two days of each other, and no longer", () => {
    const links = [link(1, 2, 4), link(2, 3, 4), link(1, 3, 4)];
    expect(parts(members(0, 40, 80), links)).toEqual([[1, 2, 3]]);
    expect(parts(members(0, 49, 80), links)).toEqual([[1], [2, 3]]);
  });

  test("the order in which things are given changes nothing", () => {
    const all = members(...Array.from({ length: 24 }, (_, i) => (i * 7) % 30));
    const links = all.flatMap(({ id }) =>
      all.filter((other) => other.id > id).map((other) => link(id, other.id, ((id * 31 + other.id * 17) % 13) - 11)),
    );
    const expected = parts(all, links);
    expect(expected.length).toBeGreaterThan(1);
    expect(expected.length).toBeLessThan(24);
    expect(parts(all.toReversed(), links.toReversed())).toEqual(expected);
  });

  test("one link counts as much as any strong one, and one to nobody, to itself or far away not at all", () => {
    const within = (ids: readonly number[]) => ids.flatMap((a) => ids.filter((b) => b > a).map((b) => link(a, b, 4)));
    const inside = [...within([1, 2, 3]), ...within([4, 5, 6])];
    expect(parts(members(0, 0, 0, 0, 0, 0), [...inside, link(3, 4, 100)])).toHaveLength(2);
    expect(parts(members(0, 0), [link(1, 1, 4), link(1, 9, 4)])).toEqual([[1], [2]]);
    expect(parts(members(0, 48), [link(1, 2, 4)])).toHaveLength(1);
    const late = { id: 2, at: 48 * HOUR_MS + 1 };
    expect(parts([{ id: 1, at: 0 }, late], [link(1, 2, 4)])).toHaveLength(2);
    expect(parts([{ id: 1, at: 2 * late.at }, late], [link(1, 2, 4)])).toHaveLength(2);
  });
});
