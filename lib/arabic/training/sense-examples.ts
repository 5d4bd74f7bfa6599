/**
 * Writes what the model of senses is trained on, for `python -m isnad_senses`: the example sentences of the senses that
 * are not held out, as /wsd reads them, and what glosses are made vectors of.
 * Run with `bun lib/arabic/training/sense-examples.ts EXAMPLES GLOSSES`.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { LexiconSubjects, SenseEntry, SenseExample } from "../../contract/mod.ts";
import { createEmbedder, openRegistry } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { readEntries } from "../lexicon-files.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { wordsInSentences, wordsWithSenses } from "../senses/answer.ts";
import { createInventory, lemmaMatch } from "../senses/inventory.ts";
import { createLikeness } from "../senses/choose.ts";
import { glossText, senseKey, SENSES_EMBEDDER } from "../senses/sense-vectors.ts";

const LEXICON = fileURLToPath(new URL("../../../nlp/lexicon", import.meta.url));

const [examplesPath = "", glossesPath = ""] = process.argv.slice(2);
const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(LEXICON, "subjects.json"), "utf8"))).senses;
const partOf = (id: string): string => id.replace(/-\d+$/, "");
const senses = readEntries(join(LEXICON, "senses"), SenseEntry);
const inventory = createInventory(senses);
const further = readEntries(join(LEXICON, "examples"), SenseExample);
const sentences = [
  ...senses.flatMap(({ id, examples }) => examples.map((text) => ({ sense: id, text }))),
  ...further,
].filter(({ sense }) => subjects[partOf(sense)]?.held_out === false);

const { lexicon, model } = await openMorphology();
const embedder = await createEmbedder({ registry: openRegistry(), model: SENSES_EMBEDDER, timeoutMs: 600_000 });
const likeness = createLikeness(embedder);
const examples = sentences.flatMap(({ sense, text }) => {
  const tokens = morphAnswer({ lexicon, model }, { text, all: false });
  const words = wordsInSentences(tokens, wordsWithSenses(tokens, inventory));
  const word = words.find(({ senses: own }) => own.some(({ id }) => id === sense));
  return word === undefined ? [] : [{ sense, word }];
});
const likenesses = await likeness(examples.map(({ word }) => word));
await embedder.close();
const lines = examples.map(({ sense, word }, i) => {
  const matches = word.senses.map(({ lemma }) => lemmaMatch(word.lemma, lemma));
  return JSON.stringify({
    ...{ sense, part: partOf(sense), words: word.sentence, place: word.place, senses: word.senses.map(({ id }) => id) },
    likeness: at(likenesses, i),
    letters: matches.map(({ letters }) => letters),
    vowels: matches.map(({ vowels }) => vowels),
  });
});
writeFileSync(examplesPath, `${lines.join("\n")}\n`);
const glosses = senses.map((sense) =>
  JSON.stringify({
    ...{ id: sense.id, key: senseKey(sense), text: glossText(sense) },
    several: inventory.rivals(sense).length > 1,
  }),
);
writeFileSync(glossesPath, `${glosses.join("\n")}\n`);
process.stdout.write(`${lines.length} of ${sentences.length} examples, ${glosses.length} senses\n`);
