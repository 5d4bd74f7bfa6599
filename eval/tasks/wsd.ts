import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { LexiconSubjects, SenseEntry } from "@isnad/lib/contract";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { openMorphology } from "../../lib/arabic/morphology/open.ts";
import { createSenseChooser } from "../../lib/arabic/senses/choose.ts";
import { readSenseForms, SENSE_FORMS } from "../../lib/arabic/senses/inventory.ts";
import { openSenseModel } from "../../lib/arabic/senses/sense-model.ts";
import { SENSES_EMBEDDER } from "../../lib/arabic/senses/sense-vectors.ts";
import { entriesHash } from "../corpus.ts";
import type { EvalTask } from "../task.ts";
import { evalWsd } from "../wsd/evaluate.ts";

const LEXICON = fileURLToPath(new URL("../../nlp/lexicon", import.meta.url));

/** Senses of words in the examples of the inventory's held-out parts: of words with three senses and more. */
export const wsd: EvalTask = {
  name: "wsd",
  formats: "a folder with senses/*.jsonl and subjects.json, as nlp/lexicon",
  sets: () => [{ set: "held-out parts of nlp/lexicon", path: LEXICON }],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const embedder = await createEmbedder({ registry, model: SENSES_EMBEDDER, timeoutMs: 600_000 });
    const { encoder, vectors } = await openSenseModel({ registry });
    const chooser = createSenseChooser({ embedder, encoder, vectors });
    const { lexicon, model } = await openMorphology();
    return {
      async measure({ path }) {
        const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(path, "subjects.json"), "utf8"))).senses;
        const senses = readEntries(join(path, "senses"), SenseEntry);
        const heldOut = ({ id }: SenseEntry): boolean => subjects[id.replace(/-\d+$/, "")]?.held_out ?? false;
        const forms = existsSync(join(path, SENSE_FORMS)) ? readSenseForms(path) : new Map();
        const readers = { lexicon, model, chooser, forms };
        const { accuracy, first, size, predictions } = await evalWsd(senses, heldOut, readers);
        const corpus = entriesHash(senses.filter(heldOut));
        return { figures: { accuracy, "first sense": first }, size, predictions, corpus };
      },
      async close() {
        await embedder.close();
        await encoder.close();
      },
    };
  },
};
