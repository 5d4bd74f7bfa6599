/**
 * Trains the model that says which Arabic a text is in: multinomial logistic regression over hashed words, pairs of
 * words and parts of words. On sentences, words and forms of nlp/lexicon/regions that are not held out, sentences of
 * the Levantine corpus that ships and of the Shami corpus, and of news and everyday talk for the standard language.
 * Run with `bun lib/arabic/training/build-dialect-model.ts`; needs ../shared/data, takes half a minute. Writes
 * `nlp/models/dialect-ar`. With `--develop` it measures four folds of the sentences written for it instead.
 */

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { at } from "../../std/mod.ts";
import { DIALECT_MODEL, DIALECTS, dialectChances, dialectFeatures } from "../dialect/identify.ts";
import {
  readRegionForms,
  readRegionSentences,
  readRegionWords,
  type RegionSentence,
  sharedSentences,
} from "./dialect-sentences.ts";
import { shuffled } from "./perceptron.ts";

const BITS = 16;
/** Says how the weights are learned: Adagrad (Duchi et al. 2011); chosen with `--develop`. */
const EPOCHS = 25;
const RATE = 0.1;
const L2 = 1e-3;
/** Stands for gradients before the first: a feature that is seen once moves little. */
const SEEN_BEFORE = 1;
/** Says what sentences written for this, words that mark a dialect, and forms weigh beside a sentence of a corpus. */
const WEIGHTS = { own: 2, word: 2, form: 0.3, corpus: 1 };
/** Bounds what an example weighs, however few its dialect has. */
const MAX_WEIGHT = 5;

type Example = { features: Uint32Array; label: number; weight: number };

const here = fileURLToPath(new URL("./", import.meta.url));
const root = join(here, "../../..");
const shared = process.env.ISNAD_SHARED ?? join(root, "../shared");
const own = readRegionSentences(join(root, "nlp/lexicon/regions"), "train");
const words = readRegionWords(join(root, "nlp/lexicon/regions"));
const forms = readRegionForms(join(root, "nlp/lexicon/regions"));
const others = sharedSentences(join(shared, "data"), "train");

if (process.argv.includes("--develop")) {
  const right = [0, 1, 2, 3].map((fold) => {
    const weights = trained(own.filter((_, i) => i % 4 !== fold));
    const tested = own.filter((_, i) => i % 4 === fold);
    return tested.filter(({ dialect, text }) => {
      const chances = dialectChances(dialectFeatures(text), weights, 1);
      return chances.indexOf(Math.max(...chances)) === DIALECTS.indexOf(dialect);
    }).length;
  });
  process.stdout.write(`${(right.reduce((sum, each) => sum + each, 0) / own.length).toFixed(4)} right\n`);
} else save(trained(own));

/** Learns the weights; each dialect counts as much as any other, however many sentences it has. */
function trained(written: readonly RegionSentence[]): Float32Array {
  const examples = [
    ...written.flatMap(spellings).map((each) => exampleOf(each, WEIGHTS.own)),
    ...words.flatMap(spellings).map((each) => exampleOf(each, WEIGHTS.word)),
    ...forms.flatMap(spellings).map((each) => exampleOf(each, WEIGHTS.form)),
    ...others.map((each) => exampleOf(each, WEIGHTS.corpus)),
  ];
  const totals = DIALECTS.map((_, label) =>
    examples.reduce((sum, example) => sum + (example.label === label ? example.weight : 0), 0),
  );
  const mean = totals.reduce((sum, each) => sum + each, 0) / totals.length;
  const weights = new Float32Array(DIALECTS.length << BITS);
  const squares = new Float32Array(weights.length).fill(SEEN_BEFORE);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const { features, label, weight } of shuffled(examples, epoch)) {
      const chances = dialectChances(features, weights, 1);
      const share = Math.min(MAX_WEIGHT, (weight * mean) / at(totals, label)) / Math.sqrt(Math.max(1, features.length));
      for (const feature of features) {
        const row = (feature & ((1 << BITS) - 1)) * DIALECTS.length;
        for (let i = 0; i < DIALECTS.length; i++) {
          const gradient = ((i === label ? 1 : 0) - at(chances, i)) * share - L2 * at(weights, row + i);
          const square = at(squares, row + i) + gradient * gradient;
          squares[row + i] = square;
          weights[row + i] = at(weights, row + i) + (RATE * gradient) / Math.sqrt(square);
        }
      }
    }
  }
  return weights;
}

/** Returns a sentence, and one of Iraq as those type it whose keyboard does not have its letters. */
function spellings(sentence: RegionSentence): RegionSentence[] {
  const text = sentence.text.replaceAll("گ", "ك").replaceAll("چ", "ج");
  return text === sentence.text ? [sentence] : [sentence, { ...sentence, text }];
}

function exampleOf({ dialect, text }: RegionSentence, weight: number): Example {
  return { features: dialectFeatures(text), label: DIALECTS.indexOf(dialect), weight };
}

/** Writes the weights, a byte each, with their card. */
function save(weights: Float32Array): void {
  const most = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  const shares = Int8Array.from(weights, (weight) => Math.round((weight / most) * 0x7f));
  const folder = join(root, "nlp/models", DIALECT_MODEL);
  mkdirSync(folder, { recursive: true });
  const files = {
    "weights.bin": new Uint8Array(shares.buffer),
    "settings.json": Buffer.from(`${JSON.stringify({ scale: most / 0x7f })}\n`),
  };
  const described = Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return [name, { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length }];
    }),
  );
  const card = {
    name: DIALECT_MODEL,
    revision: described["weights.bin"]?.sha256.slice(0, 8),
    task: "dialect",
    languages: ["ar"],
    description:
      "Tells the Arabic of five regions and the standard language apart: multinomial logistic regression over hashed words, pairs of words and parts of words, a byte a weight. 275 Egyptian, Gulf and Maghrebi sentences each, 295 Iraqi and 190 Levantine ones, 125 of the standard language, and words that mark each dialect were written for this project by one hand: of what people write there they are a small part.",
    licence: "Apache-2.0",
    architecture: "linear",
    files: described,
    training_data: [
      {
        name: "Isnad regions, sentences that are not held out, and words",
        licence: "Apache-2.0",
        used_for: "weights",
      },
      { name: "Isnad Levantine sentences, subjects that are not held out", licence: "Apache-2.0", used_for: "weights" },
      { name: "Shami corpus, 105 sentences", licence: "Apache-2.0", used_for: "weights: Levantine" },
      { name: "Tatoeba, 150 sentences", licence: "CC BY 2.0 FR", used_for: "weights: the standard language" },
      {
        name: "ANT v1 and v2, 150 sentences of news",
        licence: "Apache-2.0",
        used_for: "weights: the standard language; text © publishers",
      },
    ],
    trained_by: "bun lib/arabic/training/build-dialect-model.ts",
    measured_by: "bun run eval --task dialect",
  };
  writeFileSync(join(folder, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
}
