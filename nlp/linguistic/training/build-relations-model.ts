/**
 * Trains the model that finds events and their arguments, on the annotated sentences of `nlp/lexicon/relations` whose
 * subjects are not held out. Run with `bun nlp/linguistic/training/build-relations-model.ts`; needs nothing else, takes
 * a minute or two. Writes `nlp/models/relations-ar`.
 */

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { morphAnswer } from "../morph/answer.ts";
import { openMorphology } from "../morph/open.ts";
import { readRelationSentences } from "../re/examples.ts";
import { RE_MODEL } from "../re/open.ts";
import { reWords } from "../re/words.ts";
import { type ReExample, trainArguments, trainTriggers } from "./learn-relations.ts";
import { ARGUMENT_TRAINING, BIAS, TRIGGER_TRAINING } from "./relations-settings.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const morphology = await openMorphology();
const { train } = readRelationSentences(join(here, "../../lexicon"));
const examples = train.map((sentence): ReExample => {
  return { sentence, words: reWords(morphAnswer(morphology, { text: sentence.text, all: false })) };
});
const triggers = inShares(trainTriggers(examples, TRIGGER_TRAINING));
const spans = inShares(trainArguments(examples, ARGUMENT_TRAINING));
save({
  "triggers.bin": new Uint8Array(triggers.shares.buffer),
  "arguments.bin": new Uint8Array(spans.shares.buffer),
  "settings.json": Buffer.from(
    `${JSON.stringify({ scales: { triggers: triggers.scale, arguments: spans.scale }, bias: BIAS })}\n`,
  ),
});

/** Weights as 16-bit shares of the largest, and what a share is. */
function inShares(weights: Float32Array): { shares: Int16Array; scale: number } {
  const most = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  return { shares: Int16Array.from(weights, (weight) => Math.round((weight / most) * 0x7fff)), scale: most / 0x7fff };
}

function save(files: Record<string, Uint8Array>): void {
  const folder = join(here, "../../models", RE_MODEL);
  mkdirSync(folder, { recursive: true });
  const described = Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return [name, { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length }];
    }),
  );
  const revision = createHash("sha256").update(JSON.stringify(described)).digest("hex").slice(0, 8);
  const card = {
    name: RE_MODEL,
    revision,
    task: "relations",
    languages: ["ar"],
    description:
      "Finds events in Arabic sentences and their arguments: hashed features of the words as /morph reads them; multinomial logistic regression over words for events, a semi-Markov conditional random field over runs of words for arguments; two bytes a weight.",
    licence: "Apache-2.0",
    architecture: "linear",
    files: described,
    training_data: [
      { name: "Isnad relations, subjects that are not held out", licence: "Apache-2.0", used_for: "weights" },
      { name: "CAMeL Morph MSA", licence: "CC BY 4.0", used_for: "readings and English glosses of words" },
      { name: "morph-ar", licence: "CC BY-SA 3.0", used_for: "the reading of each word in its sentence" },
    ],
    trained_by: "bun nlp/linguistic/training/build-relations-model.ts",
    measured_by: "bun run eval --task relations",
  };
  writeFileSync(join(folder, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
}
