import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Genre } from "@isnad/lib/models";

/** A set to measure: its name in the table, and the file or folder that holds it. */
export type EvalSet = {
  set: string;
  path: string;
  lang?: "ar" | "en";
  /** Of sentences: what they are from, by default a debate. */
  genre?: Genre;
  /** Only the sentences that training leaves out. */
  part?: "last-fifth";
  /** Only the articles, topics or debates that nothing was trained on or written by. */
  heldOut?: boolean;
  /** Every nth query or article: of a large set that would take minutes. */
  every?: number;
};

/** Holds what was measured on a set. */
export type Measured = {
  /** By metric, for instance `nDCG@10`. */
  figures: Record<string, number>;
  /** Queries, sentences or tokens. */
  size: number;
  /** One line a prediction, in the order of the set. */
  predictions: string[];
  /** Hash of what was measured, where that is a part of the files at the set's path. Default: theirs. */
  corpus?: string;
};

/** A task with what it needs loaded. */
type LoadedTask = {
  measure(set: EvalSet): Promise<Measured>;
  close(): Promise<void>;
};

/** Something that can be measured. */
export type EvalTask = {
  name: string;
  /** The formats of `--data`, one line. */
  formats: string;
  /** The sets of the data folder; `full`: without samples of them. */
  sets(data: string, options: { full: boolean }): EvalSet[];
  load(options: { full: boolean }): Promise<LoadedTask>;
};

/** SHA-256 over the names and contents of the files at `path`, a file or a folder with all below it. */
export function corpusHash(path: string): string {
  const hash = createHash("sha256");
  for (const file of filesOf(path)) {
    const bytes = readFileSync(join(path, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/** SHA-256 over sentences or other entries, for a set that is a part of what its files hold. */
export function entriesHash(entries: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(entries)).digest("hex");
}

/** The paths of the files below `path`, sorted; the empty path for a file. */
function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [""];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();
}

/** The figure of a set that must not be undercut, and the hash of the corpus it was measured on. */
type Floor = { task: string; set: string; metric: string; floor: number; corpus: string };

/** A figure as it was measured now. */
export type Figure = { task: string; set: string; metric: string; value: number; corpus: string };

/** The metrics that are pinned; of all of them more is better. */
const PINNED: ReadonlySet<string> = new Set([
  ...["nDCG@10", "recall@10", "F1", "F1 nested", "F1 flat", "F1, four types", "AP", "MAP"],
  ...["ROUGE-1", "ROUGE-2", "ROUGE-L"].flatMap((metric) => [metric, `medium ${metric}`]),
  ...["within 1", "within 3"],
  ...["dates", "titles"],
  ...["lemma", "UPOS"],
  ...["feedparser", "gofeed", "sanitiser", "charset"],
  ...["right", "copies precision", "first right", "kind right"],
  ...["silent, nonsense", "silent, off-archive", "recall kept"],
  ...["B³ F1", "pairwise F1", "across recall", "across precision", "same in any order"],
  ...["same precision", "same recall", "claim recall@5", "claim MRR"],
]);

/** Mean reciprocal ranks have a name for each way to ask and each mode, recalls of copies one for each edit. */
const isPinned = (metric: string): boolean => PINNED.has(metric) || /^(?:MRR|recall) /.test(metric);

/** Digits kept of a floor. */
const DIGITS = 10_000;

/** Sets how far a figure of a model may lie under its floor: processors differ in the last digits. */
const TOLERANCE = 0.002;
const EXACT: ReadonlySet<string> = new Set(["extraction", "feeds", "cases"]);

const same = (a: Omit<Floor, "floor" | "corpus">, b: Omit<Floor, "floor" | "corpus">): boolean =>
  a.task === b.task && a.set === b.set && a.metric === b.metric;

/** Reads the pinned floors. */
export function readFloors(path: string): Floor[] {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * Tells what is wrong with figures under the floors of their sets, one line each; empty when all hold. A figure that
 * has a floor and that its set no longer tells is wrong, too.
 */
export function underFloors(figures: readonly Figure[], floors: readonly Floor[]): string[] {
  const untold = floors.filter(
    (floor) =>
      figures.some(({ task, set }) => task === floor.task && set === floor.set) &&
      !figures.some((figure) => same(floor, figure)),
  );
  const under = figures.flatMap((figure) => {
    const pinned = floors.find((floor) => same(floor, figure));
    if (pinned === undefined) return [];
    const name = `${figure.task} ${figure.set} ${figure.metric}`;
    if (pinned.corpus !== figure.corpus) return [`${name}: the corpus is not the one that the floor was measured on`];
    if (figure.value >= pinned.floor - (EXACT.has(figure.task) ? 0 : TOLERANCE)) return [];
    return [`${name} is ${figure.value.toFixed(4)}, below its floor of ${pinned.floor}`];
  });
  return [...under, ...untold.map(({ task, set, metric }) => `${task} ${set} ${metric} has a floor and no figure`)];
}

/**
 * The floors that figures allow, those of sets that were not measured as they were; 1 at the most, as a share of
 * another figure may be above it by chance. Throws RangeError when one would be lower than before: improve, or say by
 * hand why.
 */
export function raiseFloors(figures: readonly Figure[], floors: readonly Floor[]): Floor[] {
  const raised = figures
    .filter(({ metric }) => isPinned(metric))
    .map(({ task, set, metric, corpus, value }): Floor => {
      return { task, set, metric, corpus, floor: Math.min(1, Math.floor(value * DIGITS) / DIGITS) };
    });
  const lower = raised.filter((next) => floors.some((floor) => same(floor, next) && floor.floor > next.floor));
  if (lower.length > 0) {
    throw new RangeError(`not lowering the floor of ${lower.map((f) => `${f.task} ${f.set} ${f.metric}`).join(", ")}`);
  }
  return [...floors.filter((floor) => !raised.some((next) => same(floor, next))), ...raised];
}

/** Writes floors. */
export function writeFloors(path: string, floors: readonly Floor[]): void {
  writeFileSync(path, `${JSON.stringify(floors, null, 2)}\n`);
}
