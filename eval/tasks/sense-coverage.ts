import { join } from "node:path";
import { openMorphology } from "../../lib/arabic/morphology/open.ts";
import { openInventory } from "../../lib/arabic/senses/inventory.ts";
import { isHeldOut } from "../embed/data.ts";
import { readArticles } from "../known-item/articles.ts";
import type { EvalTask } from "../task.ts";
import { coverageOf } from "../wsd/coverage.ts";

/** Articles that are read, spread evenly, unless all are asked for. */
const ARTICLES = 120;

/** How many of the content words of Arabic articles have a sense: of those that nobody wrote senses by. */
export const senseCoverage: EvalTask = {
  name: "sense-coverage",
  formats: "JSON lines with title and text (or content), plain or .gz, in Arabic; --out: lemmas without a sense",
  sets: (data) => [
    { set: "ant_v2_ar, held-out twentieth", path: join(data, "news/ant_v2_ar.jsonl.gz"), heldOut: true },
  ],
  async load({ full }) {
    const { model, lexicon } = await openMorphology();
    const inventory = openInventory();
    return {
      async measure({ path, heldOut = false }) {
        const all = readArticles(path).filter(({ text }) => !heldOut || isHeldOut(text));
        const step = full ? 1 : Math.max(1, Math.floor(all.length / ARTICLES));
        const texts = all.filter((_, number) => number % step === 0).map(({ text }) => text);
        const { words, covered, missing } = coverageOf(texts, { lexicon, model, inventory });
        const predictions = missing.map(([lemma, count]) => `${count}\t${lemma}`);
        return { figures: { "with a sense": covered }, size: words, predictions };
      },
      async close() {},
    };
  },
};
