import { describe, expect, test } from "bun:test";
import { type CodeStore, createCodeStore, plainCodes, wasmCodes } from "./codes.ts";
import { seeded } from "./testing.ts";

const kinds: [string, (width: number) => CodeStore][] = [
  ["wasmCodes()", wasmCodes],
  ["plainCodes()", plainCodes],
];

describe.each(kinds)("%s", (_name, create) => {
  test("gives exact dot products, for any rows in any order", () => {
    const random = seeded(1);
    const store = create(48);
    const codes = Array.from({ length: 5000 }, () => Int8Array.from({ length: 48 }, () => random() * 255 - 127.5));
    codes.forEach((row, i) => {
      store.write(i, row);
    });
    const query = Int16Array.from({ length: 48 }, () => random() * 40_000 - 20_000);
    const list = Uint32Array.from({ length: 9001 }, () => random() * 5000);
    const dots = store.dots(list, query);
    for (const [i, row] of list.entries()) {
      const expected = (codes[row] ?? new Int8Array()).reduce((sum, code, j) => sum + code * (query[j] ?? 0), 0);
      expect(dots[i]).toBe(expected);
    }
  });

  test("takes the extremes without overflow within a row", () => {
    const store = create(1024);
    store.write(0, new Int8Array(1024).fill(-127));
    expect(store.dots(Uint32Array.of(0), new Int16Array(1024).fill(16_000))[0]).toBe(-127 * 16_000 * 1024);
  });

  test("fills short rows with zeros, also over an older row", () => {
    const store = create(32);
    store.write(3, new Int8Array(32).fill(9));
    store.write(3, Int8Array.of(1, 2));
    expect([...store.read(3)]).toEqual([1, 2, ...new Array(30).fill(0)]);
    expect(store.dots(Uint32Array.of(3), new Int16Array(32).fill(1))[0]).toBe(3);
  });

  test("keeps its rows while it grows", () => {
    const store = create(16);
    for (let i = 0; i < 30_000; i++) store.write(i, new Int8Array(16).fill(i % 100));
    for (const i of [0, 1023, 4096, 29_999]) expect(store.read(i)[0]).toBe(i % 100);
    expect(store.bytes()).toBeLessThan(30_000 * 16 * 1.5 + 200_000);
  });

  test("gives nothing for no rows", () => {
    expect(() => create(16).dots(new Uint32Array(), new Int16Array(16))).not.toThrow();
  });
});

test("createCodeStore() rounds the width up to a multiple of 16", () => {
  expect([1, 16, 17, 384].map((dims) => createCodeStore(dims).width)).toEqual([16, 16, 32, 384]);
});
