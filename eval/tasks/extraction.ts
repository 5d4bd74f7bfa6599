import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { measureLayouts } from "../extraction/layouts.ts";
import { measureCorpus, summarise } from "../extraction/measure.ts";
import { COLLECTIONS, measureCollection } from "../extraction/second-opinions.ts";
import type { EvalTask, Measured } from "../task.ts";

const LAYOUTS = fileURLToPath(new URL("../extraction/arabic-layouts", import.meta.url));

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
    return [...sets.filter(({ path }) => existsSync(path)), { set: basename(LAYOUTS), path: LAYOUTS }];
  },
  load: async () => ({
    measure: async ({ path }) => {
      if (path === LAYOUTS) return measureLayouts();
      return existsSync(join(path, "ground-truth")) ? measureWcxb(path) : measureCollection(basename(path), path);
    },
    close: async () => {},
  }),
};

function measureWcxb(path: string): Measured {
  const outcomes = measureCorpus(path);
  const { f1: F1, ...figures } = summarise(outcomes);
  const predictions = outcomes.map(({ id, f1, title, date }) => `${id}\t${f1.toFixed(4)}\t${title}\t${date ?? ""}`);
  return { figures: { F1, ...figures }, size: outcomes.length, predictions };
}
