import { expect, test } from "bun:test";
import { at, BoundedMap, emptiedAtRest, forgetCached, memoize } from "./collections.ts";

test("at() gives the element, of any kind of array", () => {
  expect(at(["a", "b"], 1)).toBe("b");
  expect(at(Float32Array.of(0, 2), 0)).toBe(0);
  expect(at([null], 0)).toBeNull();
});

test("at() throws where there is no element", () => {
  for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => at(Uint8Array.of(1, 2), index)).toThrow(RangeError);
  expect(() => at([], 0)).toThrow("no element 0 of 0");
});

function kept<K, V>(map: BoundedMap<K, V>, keys: Iterable<K>): K[] {
  return Array.from(keys).filter((key) => map.get(key) !== undefined);
}

test("a bounded map keeps at most its capacity, and at least the last half of it", () => {
  const map = new BoundedMap<number, string>(10);
  for (let key = 0; key < 100; key++) map.set(key, `${key}`);
  const left = kept(map, Array(100).keys());
  expect(left.length).toBeLessThanOrEqual(10);
  expect(left.slice(-5)).toEqual([95, 96, 97, 98, 99]);
});

test("what is used stays, however much comes by", () => {
  const map = new BoundedMap<string, number>(10);
  map.set("used", 1);
  for (let n = 0; n < 100; n++) {
    map.set(`once-${n}`, n);
    expect(map.get("used")).toBe(1);
  }
});

test("values may have weights; one of more than half the capacity is not kept", () => {
  const map = new BoundedMap<string, number>(100, { weigh: (value) => value });
  map.set("a", 40);
  map.set("b", 40);
  expect(kept(map, ["a", "b"])).toEqual(["a", "b"]);
  map.set("c", 51);
  expect(kept(map, ["c"])).toEqual([]);
  for (const key of "defgh") map.set(key, 30);
  const total = kept(map, "abdefgh").reduce((sum, key) => sum + (map.get(key) ?? 0), 0);
  expect(total).toBeLessThanOrEqual(100);
  expect(map.get("h")).toBe(30);
});

test("a value that is set again, or deleted, counts once", () => {
  const map = new BoundedMap<string, number>(4);
  for (let n = 0; n < 100; n++) map.set("a", n);
  map.set("b", 1);
  expect([map.get("a"), map.get("b")]).toEqual([99, 1]);
  map.delete("a");
  map.set("c", 2);
  expect(kept(map, ["a", "b", "c"])).toEqual(["b", "c"]);
});

test("a value is computed once, but for words that are too long to keep", () => {
  const asked: string[] = [];
  const size = memoize((word) => asked.push(word) && word.length, { capacity: 10, longest: 3 });
  expect([size("abc"), size("abc"), size("long"), size("long")]).toEqual([3, 3, 4, 4]);
  expect(asked).toEqual(["abc", "long", "long"]);
});

test("what is cached is forgotten when that is asked, and computed and cached again", () => {
  const asked: string[] = [];
  const length = memoize(
    (word) => {
      asked.push(word);
      return word.length;
    },
    { capacity: 10 },
  );
  const named = new BoundedMap<string, number>(10);
  emptiedAtRest(named);
  const other = new BoundedMap<string, number>(10);
  for (const map of [named, other]) map.set("a", 1);
  expect([length("quay"), length("quay")]).toEqual([4, 4]);
  forgetCached();
  expect([named.get("a"), other.get("a")]).toEqual([undefined, 1]);
  expect([length("quay"), length("quay")]).toEqual([4, 4]);
  expect(asked).toEqual(["quay", "quay"]);
});
