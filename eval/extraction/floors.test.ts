import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import { raiseFloors, readFloors, underFloors, writeFloors } from "./floors.ts";

const folder = mkdtempSync(join(tmpdir(), "isnad-floors-"));
afterAll(() => rmSync(folder, { recursive: true }));
const corpus = { size: 2, sha256: "a" };
const pinned = { corpus, floors: { f1: 0.9, dates: 0.5 } };

test("a figure below its floor, another corpus, and a figure that is missing are problems", () => {
  expect(underFloors({ f1: 0.9, dates: 0.6 }, corpus, pinned)).toEqual([]);
  expect(underFloors({ f1: 0.89, dates: 0.6 }, corpus, pinned)).toEqual(["f1 is 0.8900, below its floor of 0.9"]);
  expect(underFloors({ f1: 1 }, { size: 2, sha256: "b" }, pinned)).toHaveLength(2);
  expect(underFloors({}, corpus, null)).toHaveLength(1);
});

test("floors rise and never fall", () => {
  expect(raiseFloors({ f1: 0.95678, dates: 0.5 }, corpus, pinned).floors).toEqual({ f1: 0.9567, dates: 0.5 });
  expect(() => raiseFloors({ f1: 0.95, dates: 0.4 }, corpus, pinned)).toThrow(RangeError);
  expect(() => raiseFloors({ f1: 0.95 }, corpus, pinned)).toThrow(RangeError);
});

test("floors are read as they were written; a missing file is none", () => {
  const path = join(folder, "floors.json");
  expect(readFloors(path)).toBeNull();
  writeFloors(path, pinned);
  expect(readFloors(path)).toEqual(pinned);
});
