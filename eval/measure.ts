import { corpusHash } from "./corpus.ts";
import type { Figure } from "./floors.ts";
import { type Reference, referenceOf } from "./reference.ts";
import type { EvalSet, EvalTask } from "./task.ts";

/** A figure with the size of its set, and what to compare it with. */
export type Line = Figure & { size: number; reference?: Reference };

/** Measures a task on sets, one after the other; `print` is called with each line as it is there. */
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
      const corpus = corpusHash(rest.path);
      for (const [metric, value] of Object.entries(measured.figures)) {
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
