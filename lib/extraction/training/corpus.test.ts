import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { benchmarkWords, goldShares, pageIds, readGold, readHtml, wordF1 } from "./corpus.ts";

const words = (text: string) => text.split(" ").filter((word) => word !== "");
const shares = (blocks: string[], gold: string) => [...goldShares(blocks.map(words), words(gold))];

test("blocks of the gold text are told from those around it, repeated ones by their order", () => {
  const long = "the ministry said on monday that the work in the flooded cities went on as planned";
  expect(shares(["home sport", "title here", long, "home sport", ""], `title here ${long}`)).toEqual([0, 1, 1, 0, 0]);
});

test("a block that is partly in the gold text has the share of its words", () => {
  expect(shares(["a b c d"], "a b")).toEqual([0.5]);
  expect(shares(["a b"], "")).toEqual([0]);
});

test("words are those of the benchmark, and their F1 is that of bags", () => {
  expect(benchmarkWords("It's 2025, مرحبا_x!")).toEqual(["it", "s", "2025", "مرحبا_x"]);
  expect(wordF1(["a", "a", "b"], ["a", "b", "c"])).toBeCloseTo(2 / 3, 6);
  expect(wordF1([], [])).toBe(1);
  expect(wordF1(["a"], [])).toBe(0);
});

test("a text that stands on its page twice is taken from its first place", () => {
  const text = "the ministry said on monday that the work in the flooded cities went on as planned";
  expect(shares(["home", text, "more", text, "end"], text)).toEqual([0, 1, 0, 0, 0]);
});

test.each([
  ["a word between", ["a b c d e f x g h i j k l"], "a b c d e f g h i j k l", [12 / 13]],
  ["nothing of it", ["x y z"], "a b c", [0]],
  ["the other order", ["c d", "a b"], "a b c d", [0, 1]],
  ["what stands before and behind it", ["a", "b", "c"], "a c", [1, 0, 1]],
])("shares of blocks against a gold text with %s", (_, blocks, gold, expected) => {
  expect(shares(blocks, gold)).toEqual(expected.map((share) => expect.closeTo(share, 6)));
});

/** So many words that differ from each other, from a number on. */
const run = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `w${from + i}`);
const sum = (shares: Float32Array): number => shares.reduce((total, share) => total + share, 0);

test("a long page is aligned with its text by the runs of words that both have once", () => {
  const gold = [...run(500), ...run(500, 2_000)];
  const menu = run(300, 10_000);
  const box = run(300, 20_000);
  // Words of the box that stand in the text, too, but not in its order.
  const blocks = [menu, run(500), [...box, "w2001", "w7"], run(500, 2_000), run(300, 30_000)];
  const [before = 1, first, between = 1, second, behind = 1] = goldShares(blocks, gold);
  expect([first, second]).toEqual([1, 1]);
  expect([before, behind]).toEqual([0, 0]);
  expect(between).toBeLessThan(0.01);
});

test("a long text that stands on its page twice is taken from its first place, too", () => {
  const text = run(700);
  const shares = goldShares([run(50, 10_000), text, run(50, 20_000), text, ["end"]], text);
  expect(shares[1]).toBeCloseTo(1, 6);
  expect(sum(shares)).toBeCloseTo(1, 6);
});

test("parts of a long page in another order: the longest rising row of them is the text", () => {
  const [a, b, c] = [run(400), run(300, 1_000), run(300, 2_000)];
  const shares = goldShares([b, a, c], [...a, ...b, ...c]);
  expect([...shares]).toEqual([0, 1, 1]);
});

test("long texts that have no run of words in common are aligned word by word", () => {
  const page = Array.from({ length: 800 }, (_, i) => (i % 4 === 3 ? `p${i}` : `s${i}`));
  const gold = Array.from({ length: 800 }, (_, i) => (i % 4 === 3 ? `g${i}` : `s${i}`));
  expect(goldShares([page], gold)[0]).toBeCloseTo(3 / 4, 6);
});

test("the files of the benchmark are read; what a page does not know is empty", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-wcxb-"));
  for (const name of ["html", "ground-truth"]) mkdirSync(join(folder, name));
  for (const id of ["b", "a"]) writeFileSync(join(folder, `html/${id}.html.gz`), gzipSync(`<p>${id}</p>`));
  writeFileSync(join(folder, "html/notes.txt"), "");
  const truth = { title: "T", author: null, publish_date: "2025-05-14", main_content: "text" };
  writeFileSync(join(folder, "ground-truth/a.json"), JSON.stringify({ ground_truth: truth }));
  expect(pageIds(folder)).toEqual(["a", "b"]);
  expect(readHtml(folder, "b")).toBe("<p>b</p>");
  expect(readGold(folder, "a")).toEqual({
    ...{ id: "a", url: "", title: "T", author: "", published: "2025-05-14", text: "text" },
  });
  rmSync(folder, { recursive: true });
});
