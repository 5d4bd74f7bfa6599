/**
 * Trains the model that finds events and their arguments, on the annotated sentences of `nlp/lexicon/relations` whose
 * subjects are not held out. Run with `bun lib/arabic/training/build-relations-model.ts`; needs nothing else, takes
 * a minute or two. Writes `nlp/models/relations-ar`.
 */

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createTagger, openRegistry } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { RE_MODEL, readRelationSentences } from "../relations/answer.ts";
import { reWords } from "../relations/words.ts";
import {
  ARGUMENT_TRAINING,
  type ReExample,
  trainArguments,
  trainTriggers,
  TRIGGER_TRAINING,
} from "./learn-relations.ts";

/** The least probability of an argument that is told, its event's times its own; chosen likewise, for F1. */
const LEAST = 0.2;

/** Of so many sentences one is learned from without its entities. */
const BARE = 8;

const here = fileURLToPath(new URL("./", import.meta.url));
const morphology = await openMorphology();
const { train } = readRelationSentences(join(here, "../../../nlp/lexicon"));
const tagger = await createTagger({ registry: openRegistry(), timeoutMs: 600_000, nestedOnly: true });
const named = await tagger.nested(train.map(({ text }) => text));
await tagger.close();
const examples = train.map((sentence, i): ReExample => {
  const tokens = morphAnswer(morphology, { text: sentence.text, all: false });
  // Some without entities, as a text is read where the model that finds them is missing.
  return { sentence, words: reWords(tokens, i % BARE === BARE - 1 ? [] : at(named, i).entities) };
});
const triggers = inShares(trainTriggers(examples, TRIGGER_TRAINING));
const spans = inShares(trainArguments(examples, ARGUMENT_TRAINING));
save({
  "triggers.bin": new Uint8Array(triggers.shares.buffer),
  "arguments.bin": new Uint8Array(spans.shares.buffer),
  "settings.json": Buffer.from(
    `${JSON.stringify({ scales: { triggers: triggers.scale, arguments: spans.scale }, least: LEAST })}\n`,
  ),
});

/** Weights as 8-bit shares of the largest, and what a share is. */
function inShares(weights: Float32Array): { shares: Int8Array; scale: number } {
  const most = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  return { shares: Int8Array.from(weights, (weight) => Math.round((weight / most) * 0x7f)), scale: most / 0x7f };
}

function save(files: Record<string, Uint8Array>): void {
  const folder = join(here, "../../../nlp/models", RE_MODEL);
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
      "Finds events in Arabic sentences and their arguments: hashed features of the words as /morph reads them and of the entities of /ner; multinomial logistic regression over words for events, a semi-Markov conditional random field over runs of words for arguments; a byte a weight.",
    licence: "Apache-2.0",
    architecture: "linear",
    files: described,
    training_data: [
      { name: "Isnad relations, subjects that are not held out", licence: "Apache-2.0", used_for: "weights" },
      { name: "CAMeL Morph MSA", licence: "CC BY 4.0", used_for: "readings and English glosses of words" },
      {
        name: "tagger-ar-en",
        licence: "Apache-2.0",
        used_for: "the entities of each sentence",
      },
      { name: "morph-ar", licence: "CC BY-SA 3.0", used_for: "the reading of each word in its sentence" },
    ],
    trained_by: "bun lib/arabic/training/build-relations-model.ts",
    measured_by: "bun run eval --task relations",
  };
  writeFileSync(join(folder, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
}
