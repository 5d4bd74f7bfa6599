/**
 * Counts how often the sentences of our own lexicon mean a place by a word, and how often something else: what
 * `analyser/places.tsv` says. Parts held out are left aside. Run with `bun nlp/lexicon/build-places.ts
 * [LEXICON]`: the folder that has the sentences, and gets the table.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { EntitySentence, LexiconSubjects, SenseEntry, SenseExample } from "@isnad/lib/contract";
import { bareForm } from "../../lib/arabic/morphology/written-forms.ts";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { sealTables } from "../../lib/arabic/morphology/lexicon.ts";
import { tokensOf } from "../../lib/arabic/tokens.ts";

const here = process.argv[2] ?? fileURLToPath(new URL("./", import.meta.url));
const subjects = LexiconSubjects.parse(JSON.parse(readFileSync(join(here, "subjects.json"), "utf8")));
const trains = (kind: "senses" | "entities", id: string): boolean =>
  subjects[kind][id.replace(/-\d+$/, "")]?.held_out === false;

const counts = new Map<string, { place: number; other: number }>();
const count = (token: string, kind: "place" | "other"): void => {
  const word = bareForm(token);
  const own = counts.get(word) ?? { place: 0, other: 0 };
  own[kind]++;
  counts.set(word, own);
};

for (const { id, text, entities } of readEntries(join(here, "entities"), EntitySentence)) {
  if (!trains("entities", id)) continue;
  const places = entities.filter(({ type }) => type === "GPE" || type === "LOC");
  for (const { token, start, end } of tokensOf(text)) {
    const isPlace = places.some((place) => place.start === start && place.end === end);
    // A word of a longer name tells nothing of the word alone.
    if (isPlace || !entities.some((each) => each.start <= start && end <= each.end)) {
      count(token, isPlace ? "place" : "other");
    }
  }
}
const examples = [
  ...readEntries(join(here, "senses"), SenseEntry).flatMap(({ id, examples: own }) =>
    own.map((text) => ({ sense: id, text })),
  ),
  ...readEntries(join(here, "examples"), SenseExample),
];
for (const { sense, text } of examples) {
  if (trains("senses", sense)) for (const { token } of tokensOf(text)) count(token, "other");
}
const lines = [...counts]
  .filter(([word, { place }]) => place > 0 && /^[ء-ي]{2,}$/u.test(word))
  .map(([word, { place, other }]) => `${word}\t${place}\t${other}\n`);
writeFileSync(join(here, "analyser/places.tsv"), lines.sort().join(""));
if (process.argv[2] === undefined) sealTables();
process.stdout.write(`${lines.length} words\n`);
