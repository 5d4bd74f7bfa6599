import { existsSync } from "node:fs";
import { join } from "node:path";
import charsets from "../feeds/charset-cases.json" with { type: "json" };
import { measureFeeds, type Waived } from "../feeds/measure.ts";
import waivedCases from "../feeds/waived.json" with { type: "json" };
import type { EvalTask } from "../task.ts";

/**
 * Reading feeds, over public collections of cases: feedparser and gofeed (fields that we carry), sanitiser (no markup,
 * no script in a text), charset. Waived cases, each with its reason, are in `eval/feeds/waived.json` and are written
 * out as predictions.
 */
export const feeds: EvalTask = {
  name: "feeds",
  formats: "a folder with feedparser/, gofeed/ and miniflux/ as the data folder has them",
  sets: (data) => {
    const path = join(data, "feeds");
    return existsSync(path) ? [{ set: "public feeds", path }] : [];
  },
  load: async () => ({
    async measure({ path }) {
      const waived: Waived = waivedCases;
      const results = measureFeeds(path, charsets, waived);
      const wrong = results.flatMap((result) => result.wrong);
      return {
        figures: Object.fromEntries(results.map(({ collection, right, total }) => [collection, right / total])),
        size: results.reduce((sum, { total }) => sum + total, 0),
        predictions: [
          ...wrong.map(
            ({ file, field, expected, found }) =>
              `wrong\t${file}\t${field}\t${JSON.stringify(expected)}\t${JSON.stringify(found)}`,
          ),
          ...results.flatMap((result) => result.waived).map((name) => `waived\t${name}\t${waived[name] ?? ""}`),
        ],
      };
    },
    close: async () => {},
  }),
};
