import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LexiconSubjects, RelationSentence } from "../../contract/mod.ts";
import { readEntries } from "../lexicon-files.ts";

/** The annotated sentences of a lexicon folder, by whether training must not read them. */
export function readRelationSentences(lexicon: string): { train: RelationSentence[]; heldOut: RelationSentence[] } {
  const { relations } = LexiconSubjects.parse(JSON.parse(readFileSync(join(lexicon, "subjects.json"), "utf8")));
  const isHeldOut = ({ id }: RelationSentence): boolean => relations[id.replace(/-\d+$/, "")]?.held_out ?? true;
  const sentences = readEntries(join(lexicon, "relations"), RelationSentence);
  return { train: sentences.filter((each) => !isHeldOut(each)), heldOut: sentences.filter(isHeldOut) };
}
