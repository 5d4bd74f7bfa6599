import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { dataFolder, readJsonLines } from "../retrieval-sets.ts";
import { directionOf, passagesOf, readQuestions } from "./cross.ts";

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
