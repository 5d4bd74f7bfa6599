import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { indexCollection } from "../hybrid/indexed.ts";
import { readArticles, targetsOf } from "../known-item/articles.ts";
import { MODES, meanReciprocalRanks, placesOfItems } from "../known-item/evaluate.ts";
import type { EvalTask } from "../task.ts";

/** Every nth article, so that about 9,000 are searched. */
const EVERY = 3;

/**
 * Articles asked for by their headlines and leads, in each mode of the search. The sets of the data folder are measured
 * alone: what the search does was chosen on `ant_v1_ar`.
 */
export const knownItem: EvalTask = {
  name: "known-item",
  formats: "JSON lines with title and text (or content), plain or .gz: 200 of its articles are asked for",
  sets: (data) =>
    ["ant_v2_ar", "english"].map((name) => ({
      set: `${name}, every ${EVERY}rd article`,
      path: join(data, `news/${name}.jsonl.gz`),
      every: EVERY,
    })),
  async load() {
    const embedder = await createEmbedder({
      registry: openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" }),
      timeoutMs: 600_000,
    });
    return {
      async measure({ path, every = 1 }) {
        const articles = readArticles(path, { every });
        const items = { articles, targets: targetsOf(articles) };
        const documents = articles.map(({ title, text }, place) => ({ id: String(place + 1), title, text }));
        await using indexed = await indexCollection({ documents }, embedder);
        const places = await placesOfItems(indexed, items);
        const predictions = places.map((each) =>
          [each.kind, each.target + 1, ...MODES.map((mode) => each[mode]), each.query].join("\t"),
        );
        return { figures: meanReciprocalRanks(places), size: items.targets.length, predictions };
      },
      close: () => embedder.close(),
    };
  },
};
