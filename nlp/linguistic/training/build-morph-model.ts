/**
 * Trains the model that chooses among the readings of a word: an averaged structured perceptron (Collins 2002) over
 * lemma and part of speech, on four fifths of the Arabic PUD treebank, its words taken apart and as they are written.
 * Run with `bun nlp/linguistic/training/build-morph-model.ts`; needs ../shared/data. Writes `nlp/models/morph-ar`.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { at } from "@isnad/lib/std";
import { bareForm } from "../morph/bare-form.ts";
import { decode, labelsOf, type UposOf, weigh } from "../morph/decode.ts";
import { contextOf, type Label, labelHashes, localFeatures, pairFeatures, type Word } from "../morph/features.ts";
import { openAnalyser } from "../morph/open.ts";
import { readTreebank, type TreebankWord } from "../treebank.ts";
import { heldOut } from "./held-out.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const shared = process.env.ISNAD_SHARED ?? join(here, "../../../../shared");
const EPOCHS = 7;
const BITS = 19;
/** Weight that a difference in cost has before anything is learned. */
const COST = -0.8;

type Example = { words: Word[]; gold: TreebankWord[] };

const { candidates } = openAnalyser();
const sentences = readTreebank(readFileSync(join(shared, "data/linguistic/ud_pud/ar_pud-ud-test.conllu"), "utf8"));
const train = sentences
  .filter((_, number) => !heldOut(number))
  .flatMap(({ words, written }) => [exampleOf(words), exampleOf(written)]);

const upos = uposTable(train);
const uposOf: UposOf = (pos) => upos[pos] ?? ["X"];
const size = 1 << BITS;
const weights = new Float32Array(size);
const sums = new Float64Array(size);
const since = new Uint32Array(size);
let step = 0;

for (let cost = 0; cost <= 12; cost++) {
  const label = { candidate: { lemma: "", pos: "", before: "", after: "", cost }, upos: "" };
  const [feature = 0] = localFeatures({ at: [], word: 0, cheapest: 0 }, label, labelHashes(label));
  weights[feature & (size - 1)] = cost * COST;
}
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  let wrong = 0;
  for (const example of shuffled(train, epoch)) wrong += learn(example) ? 1 : 0;
  process.stdout.write(`epoch ${epoch + 1}: ${wrong} of ${train.length} sentences wrong\n`);
}
save(weights.map((weight, i) => (at(sums, i) + weight * (step - at(since, i))) / step));

/** Moves the weights towards the gold labels where they give others. Returns whether they did. */
function learn({ words, gold }: Example): boolean {
  step++;
  const guess = decode(words, uposOf, weights);
  const right = words.map((word, place) => goldLabel(words, word, place, at(gold, place)) ?? at(guess, place));
  const changes = new Map<number, number>();
  const add = (labels: readonly Label[], change: number): void => {
    const hashes = labels.map(labelHashes);
    labels.forEach((label, place) => {
      const local = localFeatures(contextOf(words, place), label, at(hashes, place));
      for (const feature of [...local, ...pairFeatures(hashes[place - 1], at(hashes, place))]) {
        changes.set(feature & (size - 1), (changes.get(feature & (size - 1)) ?? 0) + change);
      }
    });
  };
  if (right.every((label, place) => label.candidate === guess[place]?.candidate && label.upos === guess[place]?.upos)) {
    return false;
  }
  add(right, 1);
  add(guess, -1);
  for (const [feature, change] of changes) {
    sums[feature] = at(sums, feature) + at(weights, feature) * (step - at(since, feature));
    since[feature] = step;
    weights[feature] = at(weights, feature) + change;
  }
  return true;
}

/**
 * The label that agrees with the treebank in lemma and part of speech, else in one of them; the best by now of several.
 */
function goldLabel(words: readonly Word[], word: Word, place: number, gold: TreebankWord): Label | undefined {
  const labels = labelsOf(word, uposOf);
  const lemma = labels.filter(({ candidate }) => bareForm(candidate.lemma) === bareForm(gold.lemma));
  const both = lemma.filter((label) => label.upos === gold.upos);
  const pos = labels.filter((label) => label.upos === gold.upos);
  const pool = [both, lemma, pos].find(({ length }) => length > 0) ?? [];
  const context = contextOf(words, place);
  const score = (label: Label): number => weigh(localFeatures(context, label, labelHashes(label)), weights);
  return pool.reduce<Label | undefined>(
    (best, label) => (best === undefined || score(label) > score(best) ? label : best),
    undefined,
  );
}

/** The universal parts of speech that go with each of the lexicon's in the treebank, rare mistakes left out. */
function uposTable(examples: readonly Example[]): Record<string, string[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const { words, gold } of examples) {
    words.forEach((word, place) => {
      const { lemma, upos: tag } = at(gold, place);
      const right = word.candidates.find((candidate) => bareForm(candidate.lemma) === bareForm(lemma));
      if (right === undefined) return;
      const tags = counts.get(right.pos) ?? new Map<string, number>();
      counts.set(right.pos, tags.set(tag, (tags.get(tag) ?? 0) + 1));
    });
  }
  return Object.fromEntries(
    [...counts].flatMap(([pos, tags]) => {
      const all = [...tags.values()].reduce((sum, count) => sum + count, 0);
      const kept = [...tags].filter(([, count]) => count >= 4 && count / all > 0.004).sort((a, b) => b[1] - a[1]);
      return kept.length === 0 ? [] : [[pos, kept.map(([tag]) => tag)]];
    }),
  );
}

function exampleOf(gold: TreebankWord[]): Example {
  return {
    words: gold.map(({ form }) => ({ text: form, letters: bareForm(form), candidates: candidates(form) })),
    gold,
  };
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const copy = [...items];
  let state = seed + 42;
  for (let i = copy.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    const j = state % (i + 1);
    [copy[i], copy[j]] = [at(copy, j), at(copy, i)];
  }
  return copy;
}

/** Weights as 16-bit shares of the largest. */
function save(averages: Float32Array): void {
  const most = averages.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  const shares = Int16Array.from(averages, (weight) => Math.round((weight / most) * 0x7fff));
  const folder = join(here, "../../models/morph-ar");
  mkdirSync(folder, { recursive: true });
  const files = { "weights.bin": new Uint8Array(shares.buffer), "upos.json": Buffer.from(`${JSON.stringify(upos)}\n`) };
  const described = Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return [name, { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length }];
    }),
  );
  const card = {
    name: "morph-ar",
    revision: described["weights.bin"]?.sha256.slice(0, 8),
    task: "morph",
    languages: ["ar"],
    description:
      "Chooses lemma and part of speech of an Arabic word in its sentence among the readings of the analyser (nlp/lexicon/analyser): weights of hashed features of an averaged structured perceptron, two bytes each.",
    licence: "CC BY-SA 3.0",
    architecture: "linear",
    files: described,
    training_data: [
      { name: "UD Arabic-PUD, four fifths", licence: "CC BY-SA 3.0", used_for: "weights; parts of speech" },
      { name: "CAMeL Morph MSA", licence: "CC BY 4.0", used_for: "readings" },
    ],
    trained_by: "bun nlp/linguistic/training/build-morph-model.ts",
    measured_by: "bun run eval --task morph",
  };
  writeFileSync(join(folder, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
}
