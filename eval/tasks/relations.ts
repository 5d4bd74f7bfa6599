import { dirname } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createTagger, openRegistry } from "@isnad/lib/models";
import { openMorphology } from "../../lib/arabic/morphology/open.ts";
import { readRelationSentences } from "../../lib/arabic/relations/examples.ts";
import { openRelations } from "../../lib/arabic/relations/open.ts";
import { entriesHash } from "../corpus.ts";
import { evalRelations } from "../relations/evaluate.ts";
import type { EvalTask } from "../task.ts";

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/relations", import.meta.url));

/** Events and their arguments in the sentences of held-out subjects. */
export const relations: EvalTask = {
  name: "relations",
  formats: "a folder of *.jsonl with subjects.json beside it, as nlp/lexicon/relations",
  sets: () => [{ set: "held-out subjects of nlp/lexicon", path: SENTENCES }],
  async load() {
    const tagger = await createTagger({ registry: openRegistry(), timeoutMs: 600_000, nestedOnly: true });
    const parts = { morphology: await openMorphology(), model: await openRelations(), tagger };
    return {
      async measure({ path }) {
        const { heldOut } = readRelationSentences(dirname(path));
        const { f1, precision, recall, events, size, predictions } = await evalRelations(heldOut, parts);
        return { figures: { F1: f1, precision, recall, events }, size, predictions, corpus: entriesHash(heldOut) };
      },
      close: () => tagger.close(),
    };
  },
};
