import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "@isnad/lib/contract";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { entriesHash } from "../corpus.ts";
import { evalGlossary } from "../glossary/evaluate.ts";
import type { EvalTask } from "../task.ts";

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/dialect", import.meta.url));

/** Words in dialect looked up among the sentences of all other subjects. */
export const glossary: EvalTask = {
  name: "glossary",
  formats: "a folder of *.jsonl, one file a subject, as nlp/lexicon/dialect",
  sets: () => [{ set: "nlp/lexicon/dialect, each subject left out", path: SENTENCES }],
  async load() {
    return {
      async measure({ path }) {
        const sentences = readEntries(path, DialectSentence);
        const { size, predictions, ...figures } = evalGlossary(sentences);
        return { figures, size, predictions, corpus: entriesHash(sentences) };
      },
      async close() {},
    };
  },
};
