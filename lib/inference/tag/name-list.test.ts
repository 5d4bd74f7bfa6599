import { expect, test } from "bun:test";
import { hashOf } from "./feature-hash.ts";
import { createNameList } from "./name-list.ts";

const list = createNameList({
  phrases: {
    keys: Uint32Array.of(hashOf("new york"), hashOf("new york times"), hashOf("obama")),
    values: Uint8Array.of(0, 1, 2),
  },
  words: { keys: Uint32Array.of(hashOf("york")), values: Uint8Array.of(0) },
  phraseLabels: ["LOC", "ORG", "PER"],
  wordLabels: ["LOCH+!"],
});

test("the longest name from the left covers its words", () => {
  expect(list.cover(["the", "new", "york", "times", "and", "new", "york", "obama"])).toEqual([
    "O",
    "BORG3",
    "IORG",
    "IORG",
    "O",
    "BLOC2",
    "ILOC",
    "BPER1",
  ]);
  expect(list.cover([])).toEqual([]);
});

test("a word that is part of no name has the empty label", () => {
  expect([list.word("york"), list.word("times")]).toEqual(["LOCH+!", ""]);
});
