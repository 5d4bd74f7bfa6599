import { expect, test } from "bun:test";
import { at } from "./at.ts";

test("at() gives the element, of any kind of array", () => {
  expect(at(["a", "b"], 1)).toBe("b");
  expect(at(Float32Array.of(0, 2), 0)).toBe(0);
  expect(at([null], 0)).toBeNull();
});

test("at() throws where there is no element", () => {
  for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => at(Uint8Array.of(1, 2), index)).toThrow(RangeError);
  expect(() => at([], 0)).toThrow("no element 0 of 0");
});
