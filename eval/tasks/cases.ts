import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@isnad/lib/web/egress";
import { extractPage } from "../../lib/extraction/mod.ts";
import { type PageCase, readCases } from "../cases/cases.ts";
import { judgePage } from "../cases/judge.ts";
import { entriesHash } from "../corpus.ts";
import type { EvalTask } from "../task.ts";

/** When the pages are read: days after the latest date of publication on them, whatever the clock says. */
const READ_AT = Date.UTC(2026, 11, 1);
const ALL = "all kinds";

/**
 * Reading small pages, each of which stands for a kind of mistake: one line a kind, and one for all. A case holds when
 * all that is expected of it does; what does not is written out as predictions.
 */
export const cases: EvalTask = {
  name: "cases",
  formats: "a folder with cases.json: [{file, kind, url, expect}], and the pages that it names",
  sets: (data) => {
    const path = join(data, "../cases");
    if (!existsSync(path)) return [];
    const kinds = [...new Set(readCases(path).map(({ kind }) => kind))];
    return [...kinds, ALL].map((set) => ({ set, path }));
  },
  load: async () => ({
    async measure({ set, path }) {
      const all = readCases(path);
      const ofKind = all.filter(({ kind }) => kind === set);
      const chosen = ofKind.length > 0 ? ofKind : all;
      const outcomes = chosen.map((each) => ({ ...each, ...readCase(path, each) }));
      const right = outcomes.filter(({ misses }) => misses.length === 0).length;
      return {
        figures: { right: right / chosen.length },
        size: chosen.length,
        predictions: outcomes.flatMap(({ kind, file, misses }) =>
          misses.map(({ key, expected, actual }) =>
            [kind, file, key, JSON.stringify(expected), JSON.stringify(actual)].join("\t"),
          ),
        ),
        corpus: entriesHash(outcomes.map(({ file, expect, bytes }) => [file, expect, bytes.toString("base64")])),
      };
    },
    close: async () => {},
  }),
};

function readCase(folder: string, { file, url, expect }: PageCase) {
  const bytes = readFileSync(join(folder, file));
  const page = extractPage({ html: decodeText(bytes, { contentType: "text/html" }).text, url, now: READ_AT });
  return { bytes, misses: judgePage(page, expect) };
}
