import { join } from "node:path";
import { createTagger, openRegistry } from "@isnad/lib/models";
import { evalEntities } from "../entities/eval-entities.ts";
import type { EvalTask } from "../task.ts";

/**
 * The entity tagger; exact spans and types, as conlleval counts. Two sets are measured on the fifth that training
 * leaves out.
 */
export const entities: EvalTask = {
  name: "entities",
  formats: "CoNLL columns: token first, tag last, an empty line between sentences; plain or .gz",
  sets: (data) => [
    { set: "ANERcorp held-out fifth", path: join(data, "ner/ar/anercorp_train.txt"), lang: "ar", part: "last-fifth" },
    { set: "WNUT-17 dev", path: join(data, "ner/en/wnut17/CONLL-format/data/dev/emerging.dev.conll"), lang: "en" },
    {
      set: "Wikigold held-out fifth",
      path: join(data, "ner/en/wikigold/CONLL-format/data/wikigold.conll.txt"),
      lang: "en",
      part: "last-fifth",
    },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const tagger = await createTagger({ registry });
    return {
      async measure({ path, lang, part }) {
        const { f1, precision, recall, tokens, predictions } = await evalEntities(tagger, {
          path,
          ...(lang !== undefined && { lang }),
          ...(part !== undefined && { part }),
        });
        return { figures: { F1: f1, P: precision, R: recall }, size: tokens, predictions };
      },
      close: () => tagger.close(),
    };
  },
};
