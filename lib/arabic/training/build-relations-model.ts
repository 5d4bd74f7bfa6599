/**
 * Trains the model that finds events and their arguments, on the annotated sentences of `nlp/lexicon/relations` whose
 * subjects are not held out. Run with `bun lib/arabic/training/build-relations-model.ts`; needs nothing else, takes
 * a minute or two. Writes `nlp/models/relations-ar`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { ARGUMENT_ROLES, type RelationSentence } from "../../contract/mod.ts";
import { createTagger, openRegistry } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { RE_MODEL, readRelationSentences } from "../relations/answer.ts";
import { labelOf, marginals, typeProbabilities } from "../relations/model.ts";
import { spanFeatures } from "../relations/span-features.ts";
import { ROLES, rowOf, spanScores, spansOf, TYPES } from "../relations/spans.ts";
import { triggerFeatures } from "../relations/triggers.ts";
import { type ReWord, reWords } from "../relations/words.ts";
import { shuffled } from "./perceptron.ts";

/** A sentence with its words. */
type ReExample = { sentence: RelationSentence; words: ReWord[] };

/** Says how the weights are learned. */
type ReTraining = { epochs: number; rate: number; l2: number; bits: number };

/** Adagrad (Duchi et al. 2011) over hashed weights. */
class Learner {
  readonly weights: Float32Array;
  readonly #squares: Float32Array;
  readonly #labels: number;
  readonly #rate: number;
  readonly #l2: number;
  constructor(labels: number, { bits, rate, l2 }: ReTraining) {
    this.weights = new Float32Array(labels << bits);
    this.#squares = new Float32Array(labels << bits).fill(1e-2);
    this.#labels = labels;
    this.#rate = rate;
    this.#l2 = l2;
  }
  /** Moves the weights of the features along the gradients of the labels; small ones are left out. */
  update(features: Uint32Array, gradients: Float64Array): void {
    for (const feature of features) {
      const row = rowOf(feature, this.weights, this.#labels);
      for (let label = 0; label < this.#labels; label++) {
        const gradient = gradients[label] ?? 0;
        if (gradient < SMALL && gradient > -SMALL) continue;
        const i = row + label;
        const weight = this.weights[i] ?? 0;
        const slope = gradient - this.#l2 * weight;
        const square = (this.#squares[i] ?? 0) + slope * slope;
        this.#squares[i] = square;
        this.weights[i] = weight + (this.#rate * slope) / Math.sqrt(square);
      }
    }
  }
}

const SMALL = 2e-3;

/** Learns which words name events: multinomial logistic regression. */
function trainTriggers(examples: readonly ReExample[], training: ReTraining): Float32Array {
  const learner = new Learner(TYPES, training);
  const cases = examples.flatMap(({ sentence, words }) =>
    words.map((word, place) => {
      const event = sentence.events.find(({ trigger }) => trigger.start < word.end && trigger.end > word.start);
      return { features: triggerFeatures(words, place), label: event === undefined ? 0 : labelOf(event.type) };
    }),
  );
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    for (const { features, label } of shuffled(cases, epoch)) {
      const chances = typeProbabilities(features, learner.weights, 1);
      learner.update(
        features,
        chances.map((chance, each) => (each === label ? 1 : 0) - chance),
      );
    }
  }
  return learner.weights;
}

/** Learns the arguments of events: a semi-Markov conditional random field without transitions. */
function trainArguments(examples: readonly ReExample[], training: ReTraining): Float32Array {
  const learner = new Learner(ROLES, training);
  const cases = examples.flatMap(({ sentence, words }) =>
    sentence.events.flatMap(({ trigger: { start, end }, type, arguments: gold }) => {
      const place = words.findIndex((word) => start < word.end && end > word.start);
      if (place < 0) return [];
      const spans = spansOf(words, place);
      const features = spans.map((span) => spanFeatures(words, { place, type }, span));
      const roles = spans.map(({ from, to }) => {
        const right = gold.find((each) => each.start === words[from]?.start && each.end === words[to - 1]?.end);
        return right === undefined ? -1 : ARGUMENT_ROLES.indexOf(right.role);
      });
      return [{ spans, features, roles }];
    }),
  );
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    for (const { spans, features, roles } of shuffled(cases, epoch)) {
      const chances = marginals(spanScores(spans, features, learner.weights, 1));
      features.forEach((each, i) => {
        const own = chances.subarray(i * ROLES, (i + 1) * ROLES);
        learner.update(
          each,
          own.map((chance, role) => (role === roles[i] ? 1 : 0) - chance),
        );
      });
    }
  }
  return learner.weights;
}

/** Says how weights are learned; chosen on five subjects that are not held out, left out of training for that. */
const TRIGGER_TRAINING: ReTraining = { epochs: 10, rate: 0.15, l2: 1e-4, bits: 15 };
const ARGUMENT_TRAINING: ReTraining = { epochs: 7, rate: 0.15, l2: 1e-4, bits: 16 };

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
