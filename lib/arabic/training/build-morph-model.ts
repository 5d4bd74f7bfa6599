/**
 * Trains the model that chooses among the readings of a word: an averaged structured perceptron (Collins 2002) over
 * lemma and part of speech, on four fifths of the Arabic PUD treebank, its words taken apart and as they are written,
 * on half of our own sentences that somebody says, and on sentences of our own lexicon of which a word or the names
 * are known.
 * Run with `bun lib/arabic/training/build-morph-model.ts`; needs ../shared/data. Writes `nlp/models/morph-ar`.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { EntitySentence, LexiconSubjects, SenseEntry, SenseExample } from "../../contract/mod.ts";
import { at } from "../../std/mod.ts";
import { readEntries, readTreebank, type TreebankWord } from "../lexicon-files.ts";
import { bareForm } from "../morphology/written-forms.ts";
import { exampleOf, heldOut, type Readings, sameVowels } from "./morph-sentences.ts";
import { createPerceptron, type Example, shuffled } from "./perceptron.ts";
import { areCliticsOf, isPosOf, readSpeech, type SpokenWord } from "./morph-sentences.ts";
import { tokensOf } from "../tokens.ts";
import { encliticsOf, procliticsOf } from "../morphology/clitics.ts";
import { costFeature, decode, type Label, prepare } from "../morphology/features.ts";
import { openAnalyser } from "../morphology/model.ts";

/** Returns a sentence that somebody says: right is what agrees with it in lemma, part of speech and clitics. */
function speechExample(gold: readonly SpokenWord[], readings: Readings): Example {
  return exampleOf(
    gold.map(({ form }) => form),
    readings,
    ({ candidate, upos }, place) => {
      const word = at(gold, place);
      const hasClitics = candidate.analyses.some(({ features }) =>
        areCliticsOf(word, { proclitics: procliticsOf(features), enclitics: encliticsOf(features) }),
      );
      const isLemma = word.lemmas.includes(bareForm(candidate.lemma));
      return (isLemma ? 4 : 0) + (isPosOf(word, upos) ? 2 : 0) + (hasClitics ? 1 : 0);
    },
  );
}

/** Returns a sentence whose names of persons are known; `undefined` for one that names nobody. */
function entityExample({ text, entities }: EntitySentence, readings: Readings): Example | undefined {
  const names = entities.filter(({ type }) => type === "PERS");
  if (names.length === 0) return undefined;
  const tokens = tokensOf(text);
  const named = tokens.map((token) => names.some(({ start, end }) => token.start < end && start < token.end));
  return exampleOf(
    tokens.map(({ token }) => token),
    readings,
    ({ upos }, place) => (named[place] === true && upos === "PROPN" ? 1 : 0),
  );
}

/** Universal parts of speech that a word can have whose sense is of these. */
const SENSE_UPOS: Readonly<Record<string, readonly string[]>> = {
  verb: ["VERB", "AUX"],
  noun: ["NOUN"],
  adj: ["ADJ"],
  adv: ["ADV", "NOUN", "ADJ"],
};

/**
 * Returns the example sentences of a sense, of which one word is known: it has the sense's lemma and part of speech.
 * Sentences in which the word is not found, or more than once, are left out.
 */
function senseExamples({ lemma, pos, examples }: SenseEntry, readings: Readings): Example[] {
  const upos = SENSE_UPOS[pos];
  if (upos === undefined) return [];
  const own = bareForm(lemma);
  const fits = ({ candidate, upos: tag }: Label): boolean => bareForm(candidate.lemma) === own && upos.includes(tag);
  return examples.flatMap((example) => {
    const texts = tokensOf(example).map(({ token }) => token);
    const made = exampleOf(texts, readings, (label) => {
      if (!fits(label)) return 0;
      return sameVowels(label.candidate, lemma) ? 2 : 1;
    });
    const places = made.labels.flatMap((labels, place) => (labels.some(({ label }) => fits(label)) ? [place] : []));
    return places.length === 1 ? [made] : [];
  });
}

/**
 * Returns a sentence of the treebank: right is what agrees with it in the letters of the lemma, in the part of speech
 * and in the vowels of the lemma, the first of these before the others.
 */
function treebankExample(gold: readonly TreebankWord[], readings: Readings): Example {
  return exampleOf(
    gold.map(({ form }) => form),
    readings,
    (label, place) => {
      const { lemma, upos } = at(gold, place);
      // Numerals have no lemma in the treebank but what is written.
      if (upos === "NUM") return (label.upos === upos ? 2 : 0) + (label.candidate.analysis === undefined ? 0 : 1);
      if (bareForm(label.candidate.lemma) !== bareForm(lemma)) return label.upos === upos ? 2 : 0;
      return 4 + (label.upos === upos ? 2 : 0) + (sameVowels(label.candidate, lemma) ? 1 : 0);
    },
  );
}

const here = fileURLToPath(new URL("./", import.meta.url));
const shared = process.env.ISNAD_SHARED ?? join(here, "../../../../shared");
const LEXICON = join(here, "../../../nlp/lexicon");
const EPOCHS = 7;
/** Orders of the sentences that are learned from, whose weights are averaged: one alone leaves much to chance. */
const ORDERS = 3;
const BITS = 19;
/** Weight that a difference in cost has before anything is learned. */
const COST = -0.8;
/** Every so many-th sentence whose words are known in part is taken in an epoch, another one each time. */
const SHARE = 3;
/** True when a fold of the training sentences is left out and measured, to choose settings by; writes nothing. */
const develop = process.argv.includes("--develop");

const { candidates } = openAnalyser();
const sentences = readTreebank(readFileSync(join(shared, "data/linguistic/ud_pud/ar_pud-ud-test.conllu"), "utf8"));
const fold = (number: number): boolean => develop && number % 5 === 3;
const training = sentences.filter((_, number) => !heldOut(number) && !fold(number));
const upos = uposTable(training.flatMap(({ words, written }) => [words, written]));
const readings: Readings = { candidates, uposOf: (pos) => upos[pos] ?? ["X"] };

const gold = training.flatMap(({ words, written }) => [words, written]).map((each) => treebankExample(each, readings));
const spoken = readSpeech(LEXICON, "training").map((words) => speechExample(words, readings));
const partly = [...spoken, ...ownSentences()];
const start = new Map(Array.from({ length: 13 }, (_, cost) => [costFeature(cost), cost * COST]));
const averages = new Float32Array(1 << BITS);
for (let order = 0; order < ORDERS; order++) {
  const perceptron = createPerceptron(1 << BITS, start);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const examples = [...gold, ...partly.filter((_, number) => number % SHARE === epoch % SHARE)];
    const wrong = shuffled(examples, order * EPOCHS + epoch).filter((example) => perceptron.learn(example)).length;
    process.stdout.write(`order ${order + 1}, epoch ${epoch + 1}: ${wrong} of ${examples.length} sentences wrong\n`);
  }
  perceptron.averages().forEach((weight, place) => {
    averages[place] = (averages[place] ?? 0) + weight / ORDERS;
  });
  if (develop) measure(averages.map((weight) => (weight * ORDERS) / (order + 1)));
}
if (!develop) save(averages);
else process.stdout.write(`${JSON.stringify(upos)}\n`);

/** Sentences of our own lexicon, those held out left aside: what the words of senses and the names of persons are. */
function* ownSentences() {
  const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(LEXICON, "subjects.json"), "utf8")));
  const trains = (kind: "senses" | "entities", id: string): boolean =>
    subjects[kind][id.replace(/-\d+$/, "")]?.held_out === false;
  const further = Map.groupBy(readEntries(join(LEXICON, "examples"), SenseExample), ({ sense }) => sense);
  for (const sense of readEntries(join(LEXICON, "senses"), SenseEntry)) {
    if (!trains("senses", sense.id)) continue;
    const examples = [...sense.examples, ...(further.get(sense.id) ?? []).map(({ text }) => text)];
    yield* senseExamples({ ...sense, examples }, readings);
  }
  for (const sentence of readEntries(join(LEXICON, "entities"), EntitySentence)) {
    const example = trains("entities", sentence.id) ? entityExample(sentence, readings) : undefined;
    if (example !== undefined) yield example;
  }
}

/** Prints shares of words that are right in the fold that is left out. */
function measure(weights: Float32Array): void {
  for (const kind of ["words", "written"] as const) {
    const counts = { words: 0, upos: 0, lemma: 0, arabic: 0, vowels: 0 };
    for (const sentence of sentences.filter((_, number) => fold(number))) {
      const words = sentence[kind].map(({ form }) => ({
        text: form,
        letters: bareForm(form),
        candidates: candidates(form),
      }));
      decode(
        words,
        words.map((word) => prepare(word, readings.uposOf, weights)),
        weights,
      ).forEach(({ label }, place) => {
        const right = at(sentence[kind], place);
        counts.words++;
        if (label.upos === right.upos) counts.upos++;
        if (bareForm(label.candidate.lemma) === bareForm(right.lemma)) counts.lemma++;
        if (!/[\u064e-\u0651]/u.test(right.lemma)) return;
        counts.arabic++;
        if (sameVowels(label.candidate, right.lemma)) counts.vowels++;
      });
    }
    const share = (count: number): string => (count / counts.words).toFixed(4);
    process.stdout.write(
      `  ${kind}: lemma ${share(counts.lemma)}, UPOS ${share(counts.upos)}, with vowels ${(counts.vowels / counts.arabic).toFixed(4)}\n`,
    );
  }
}

/**
 * Returns the universal parts of speech that go with each of the lexicon's in the treebank, rare mistakes left out.
 */
function uposTable(sentences: readonly (readonly TreebankWord[])[]): Record<string, string[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const words of sentences) {
    words.forEach(({ form, lemma, upos: tag }) => {
      const fitting = candidates(form).filter((candidate) => bareForm(candidate.lemma) === bareForm(lemma));
      const vowelled = fitting.find((candidate) => sameVowels(candidate, lemma));
      // Numerals have no lemma in the treebank but what is written.
      const right = tag === "NUM" ? candidates(form)[0] : (vowelled ?? fitting[0]);
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

/** Weights as 16-bit shares of the largest. */
function save(averages: Float32Array): void {
  const most = averages.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  const shares = Int16Array.from(averages, (weight) => Math.round((weight / most) * 0x7fff));
  const folder = join(here, "../../../nlp/models/morph-ar");
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
      { name: "speech/training.txt of nlp/lexicon", licence: "Apache-2.0", used_for: "weights" },
      {
        name: "senses and entities of nlp/lexicon, those held out left aside",
        licence: "Apache-2.0",
        used_for: "weights: the word that an example is of; names of persons",
      },
      { name: "CAMeL Morph MSA", licence: "CC BY 4.0", used_for: "readings" },
    ],
    trained_by: "bun lib/arabic/training/build-morph-model.ts",
    measured_by: "bun run eval --task morph",
  };
  writeFileSync(join(folder, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
}
