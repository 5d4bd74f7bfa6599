import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import type { DialectSentence } from "@isnad/lib/contract";
import { dataFolder, readJsonLines } from "../retrieval-sets.ts";
import { directionOf, evalGlossary, passagesOf, readQuestions } from "./cross.ts";

const folder = fileURLToPath(new URL("../cross/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
const shared = dataFolder(process.env);

describe("the questions across languages", () => {
  test("are in the language that the name of their file says", () => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const direction = directionOf(file);
      expect(direction).toBeDefined();
      for (const { text } of readJsonLines(`${folder}/${file}`)) {
        expect(/^\P{Script=Latin}/u.test(String(text))).toBe(direction === "ar-en");
      }
    }
  });

  test("are asked once, and no passage of the test answers one of the development set", () => {
    const rows = (part: string) =>
      files.filter((file) => file.startsWith(part)).flatMap((file) => readJsonLines(`${folder}/${file}`));
    const all = [...rows("development"), ...rows("test")];
    expect(new Set(all.map(({ _id }) => _id)).size).toBe(all.length);
    const tested = new Set(rows("test").map(({ passage }) => passage));
    expect(rows("development").filter(({ passage }) => tested.has(passage))).toEqual([]);
  });

  test.skipIf(shared === undefined)("have their passages in the data folder", () => {
    const file = files.find((name) => name.includes("en-ar")) ?? "";
    expect(readQuestions(`${folder}/${file}`, passagesOf(shared ?? "", "en-ar")).queries.length).toBeGreaterThan(50);
  });

  test("directionOf() knows no other name", () => {
    expect(directionOf("x/test.fr-en.jsonl")).toBeUndefined();
  });
});

const word = (token: string, msa_lemma: string, gloss: string) => ({
  ...{ token, coda: token, segments: [token], msa_lemma, dialect_lemma: token, gloss },
  pos: "ADV" as const,
});
const sentence = (id: string, tokens: DialectSentence["tokens"]): DialectSentence => ({
  ...{ id, region: "syrian", text: tokens.map(({ token }) => token).join(" "), tokens },
});

test("a word is looked up in the other subjects alone, its lemma and its meaning counted apart", () => {
  const all = [
    sentence("home-0001", [word("وين", "أين", "where"), word("هلق", "الآن", "now")]),
    sentence("home-0002", [word("هلق", "الآن", "now")]),
    sentence("street-0001", [word("وين", "أين", "where to")]),
  ];
  expect(evalGlossary(all)).toEqual({
    ...{ size: 4, found: 2 / 4, lemma: 2 / 4, gloss: 0 },
    predictions: [
      "وين\tأين\twhere\tأين\twhere to",
      "هلق\tالآن\tnow\t\t",
      "هلق\tالآن\tnow\t\t",
      "وين\tأين\twhere to\tأين\twhere",
    ],
  });
});

test("one subject alone cannot be measured", () => {
  expect(() => evalGlossary([sentence("home-0001", [word("وين", "أين", "where")])])).toThrow(RangeError);
});
