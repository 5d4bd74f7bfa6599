import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createTagger, openRegistry } from "@isnad/lib/models";
import { entriesHash } from "../corpus.ts";
import { evalEntities } from "../entities/eval-entities.ts";
import { evalNested } from "../ner-nested/evaluate.ts";
import { isNested, readNested } from "../ner-nested/read.ts";
import type { EvalTask } from "../task.ts";

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/entities", import.meta.url));

/** Entities that nest, of 21 types, each sentence read by itself; a set of four types by the head that has them. */
export const nerNested: EvalTask = {
  name: "ner-nested",
  formats:
    "JSON lines {text, entities:[{start,end,type}]}, a folder as nlp/lexicon/entities (its held-out files), or CoNLL columns with a tag for each entity, the outermost first",
  sets: (data) => [
    { set: "Wojood sample val", path: join(data, "ner/ar/wojood_sample_val.txt") },
    { set: "held-out sentences of our own", path: SENTENCES },
    { set: "ANERcorp held-out fifth", path: join(data, "ner/ar/anercorp_train.txt"), lang: "ar", part: "last-fifth" },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const tagger = await createTagger({ registry, timeoutMs: 600_000 });
    return {
      async measure({ path, lang = "ar", part }) {
        const sentences = readNested(path);
        if (!isNested(sentences)) {
          const { f1, tokens, predictions } = await evalEntities(tagger, {
            path,
            lang,
            ...(part !== undefined && { part }),
          });
          return { figures: { "F1, four types": f1 }, size: tokens, predictions };
        }
        const { nested, flat, predictions } = await evalNested(tagger, sentences);
        const figures = {
          "F1 nested": nested.f1,
          "F1 flat": flat.f1,
          "P nested": nested.precision,
          "R nested": nested.recall,
        };
        const isPart = statSync(path).isDirectory();
        return { figures, size: sentences.length, predictions, ...(isPart && { corpus: entriesHash(sentences) }) };
      },
      close: () => tagger.close(),
    };
  },
};
