import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { z } from "zod";

const WORD_LISTS = [
  "institution",
  "national",
  "plural",
  "common",
  "group-head",
  "place-head",
  "land-head",
  "building-head",
  "common-place",
  "nickname",
  "contest",
  "common-event",
  "people",
  "nationality",
  "time",
] as const;

/** A list of `nlp/lexicon/entity-words.tsv`, which says what each is for. */
export type WordList = (typeof WORD_LISTS)[number];

const row = z.tuple([z.enum(WORD_LISTS), z.string()]);

let shipped: ReadonlyMap<WordList, ReadonlySet<string>> | undefined;

/** The words of a list that ships, as they are written there. */
export function wordList(name: WordList): ReadonlySet<string> {
  shipped ??= readWordLists(
    readFileSync(new URL("../../../../../nlp/lexicon/entity-words.tsv", import.meta.url), "utf8"),
  );
  return shipped.get(name) ?? new Set();
}

/** Words by list. @throws ZodError for a line of another form; RangeError where a word stands twice in a list */
export function readWordLists(table: string): Map<WordList, Set<string>> {
  const lists = new Map<WordList, Set<string>>();
  for (const line of table.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, words] = row.parse(line.split("\t"));
    const list = lists.get(name) ?? new Set();
    for (const word of words.split("|")) {
      if (list.has(word)) throw new RangeError(`${word} stands twice in the list ${name}`);
      list.add(word);
    }
    lists.set(name, list);
  }
  return lists;
}
