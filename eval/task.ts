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
export type LoadedTask = {
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
