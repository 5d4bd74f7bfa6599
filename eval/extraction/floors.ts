import { readFileSync, writeFileSync } from "node:fs";

/** Figures by name; the higher the better. */
export type Figures = Readonly<Record<string, number>>;

/** Figures that must not be undercut, and the corpus that they were measured on. */
export interface Floors {
  readonly corpus: Corpus;
  readonly floors: Figures;
}

/** What figures were measured on. */
export interface Corpus {
  /** Pages or cases. */
  readonly size: number;
  readonly sha256: string;
}

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
export function underFloors(figures: Figures, { sha256 }: Corpus, pinned: Floors | null): string[] {
  if (pinned === null) return ["there are no floors yet: run with --update"];
  const problems: string[] = [];
  if (sha256 !== pinned.corpus.sha256) problems.push("the corpus is not the one that the floors were measured on");
  for (const [name, floor] of Object.entries(pinned.floors)) {
    const figure = figures[name];
    if (figure === undefined) problems.push(`${name} was not measured`);
    else if (figure < floor) problems.push(`${name} is ${figure.toFixed(4)}, below its floor of ${floor}`);
  }
  return problems;
}

/** The floors that figures allow. Throws RangeError when one would be lower than before: improve, or say by hand why. */
export function raiseFloors(figures: Figures, corpus: Corpus, pinned: Floors | null): Floors {
  const floors = Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, Math.floor(figure * DIGITS) / DIGITS]),
  );
  const lower = Object.entries(pinned?.floors ?? {}).filter(([name, floor]) => !((floors[name] ?? -1) >= floor));
  if (lower.length > 0) throw new RangeError(`not lowering the floor of ${lower.map(([name]) => name).join(", ")}`);
  return { corpus, floors };
}

/** Writes floors. */
export function writeFloors(path: string, floors: Floors): void {
  writeFileSync(path, `${JSON.stringify(floors, null, 2)}\n`);
}
