import { readFileSync, writeFileSync } from "node:fs";
import type { Figures } from "./measure.ts";

/** Figures that must not be undercut, and the corpus that they were measured on. */
export interface Floors {
  readonly corpus: { readonly pages: number; readonly sha256: string };
  readonly floors: Readonly<Record<FloorName, number>>;
}

/** The figures with a floor. */
export type FloorName = "f1" | "dates" | "titles";

const NAMES: readonly FloorName[] = ["f1", "dates", "titles"];
/** A floor is the figure itself, cut to four digits. */
const DIGITS = 10_000;

/** Reads pinned floors; null when the file is missing. */
export function readFloors(path: string): Floors | null {
  try {
    return JSON.parse(String(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** What is wrong with figures under these floors, one line each; empty when all hold. */
export function underFloors(figures: Figures, sha256: string, pinned: Floors): string[] {
  const problems: string[] = [];
  if (sha256 !== pinned.corpus.sha256) problems.push("the corpus is not the one that the floors were measured on");
  for (const name of NAMES) {
    const floor = pinned.floors[name];
    if (figures[name] < floor) problems.push(`${name} is ${figures[name].toFixed(4)}, below its floor of ${floor}`);
  }
  return problems;
}

/** The floors that figures allow. Throws RangeError when one would be lower than before: improve, or say by hand why. */
export function raiseFloors(figures: Figures, corpus: Floors["corpus"], pinned: Floors | null): Floors {
  const floor = (name: FloorName) => Math.floor(figures[name] * DIGITS) / DIGITS;
  const floors = { f1: floor("f1"), dates: floor("dates"), titles: floor("titles") };
  const lower = NAMES.filter((name) => pinned !== null && floors[name] < pinned.floors[name]);
  if (lower.length > 0) throw new RangeError(`not lowering the floor of ${lower.join(", ")}`);
  return { corpus, floors };
}

/** Writes floors. */
export function writeFloors(path: string, floors: Floors): void {
  writeFileSync(path, `${JSON.stringify(floors, null, 2)}\n`);
}
