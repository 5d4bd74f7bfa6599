import { CommandError } from "@isnad/lib/service/cli";
import { corpusHash } from "./corpus.ts";
import type { Figure } from "./floors.ts";
import references from "./references.json" with { type: "json" };
import type { EvalSet, EvalTask } from "./task.ts";

/** A score that others reached, or the one that the project promises, and where it stands. */
type Reference = { task: string; set: string; metric: string; value: number; by: string };

/** A figure with the size of its set, and what to compare it with. */
export type Line = Figure & { size: number; reference?: Reference };

/**
 * Measures a task on sets, one after the other; `print` is called with each line as it is there. A figure that a set
 * does not tell (a set without labels) has no line. @throws CommandError when a set holds nothing to measure
 */
export async function measureSets(
  task: EvalTask,
  sets: readonly EvalSet[],
  { full, print }: { full: boolean; print: (line: Line) => void },
): Promise<{ lines: Line[]; predictions: string[] }> {
  const loaded = await task.load({ full });
  const lines: Line[] = [];
  const predictions: string[] = [];
  try {
    for (const { set, ...rest } of sets) {
      const measured = await loaded.measure({ set, ...rest });
      const corpus = measured.corpus ?? corpusHash(rest.path);
      const figures = Object.entries(measured.figures).filter(([, value]) => Number.isFinite(value));
      if (measured.predictions.length === 0 && (measured.size === 0 || figures.length === 0)) {
        throw new CommandError(`${set}: nothing in it can be measured; ${task.name} reads ${task.formats}`);
      }
      for (const [metric, value] of figures) {
        const reference = referenceOf(task.name, set, metric);
        const line = {
          task: task.name,
          set,
          size: measured.size,
          metric,
          value,
          corpus,
          ...(reference && { reference }),
        };
        lines.push(line);
        print(line);
      }
      predictions.push(...measured.predictions);
    }
  } finally {
    await loaded.close();
  }
  return { lines, predictions };
}

/** The reference of a figure; undefined where none is known. */
function referenceOf(task: string, set: string, metric: string): Reference | undefined {
  return references.find((each) => each.task === task && each.set === set && each.metric === metric);
}
