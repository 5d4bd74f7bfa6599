import references from "./references.json" with { type: "json" };

/** A score that others reached, or the one that the project promises, and where it stands. */
export type Reference = { task: string; set: string; metric: string; value: number; by: string };

/** The scores to compare with. */
const REFERENCES: readonly Reference[] = references;

/** The reference of a figure; undefined where none is known. */
export function referenceOf(task: string, set: string, metric: string): Reference | undefined {
  return REFERENCES.find((each) => each.task === task && each.set === set && each.metric === metric);
}
