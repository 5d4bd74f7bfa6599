import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { measureCorpus, summarise } from "../extraction/measure.ts";
import { COLLECTIONS, measureCollection } from "../extraction/second-opinions.ts";
import type { EvalTask, Measured } from "../task.ts";

/**
 * Reading article pages. The block model is trained on the pages of WCXB: its F1 on unseen sites is in its card; the
 * others were never trained on.
 */
export const extraction: EvalTask = {
  name: "extraction",
  formats: "a folder of pages as WCXB has them: html/*.html.gz and ground-truth/*.json",
  sets: (data) => {
    const folder = join(data, "extraction");
    const sets = ["wcxb", ...COLLECTIONS].map((name) => ({ set: name, path: join(folder, name) }));
    return sets.filter(({ path }) => existsSync(path));
  },
  load: async () => ({
    measure: async ({ path }) =>
      existsSync(join(path, "ground-truth")) ? measureWcxb(path) : measureCollection(basename(path), path),
    close: async () => {},
  }),
};

function measureWcxb(path: string): Measured {
  const outcomes = measureCorpus(path);
  const { f1: F1, ...figures } = summarise(outcomes);
  const predictions = outcomes.map(({ id, f1, title, date }) => `${id}\t${f1.toFixed(4)}\t${title}\t${date ?? ""}`);
  return { figures: { F1, ...figures }, size: outcomes.length, predictions };
}
