import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import questions from "../floor/questions.json" with { type: "json" };
import { archiveOf, evalFloor, firstArticles, floor } from "./floor.ts";

const near = (articleId: number, score: number) => ({ articleId, score, chunkNo: 0, start: 0, end: 1 });
const branches = {
  keyword: async () => ({ hits: [], corrections: [] }),
  vector: async () => ({ hits: [near(1, 0.5), near(2, 0.45)], candidates: 1000 }),
  supports: async ({ text }: { text: string }, ids: readonly number[]) =>
    ids.map(() => (text.includes("said") ? 1 : 0)),
};

test("what has no hits is silent, and an answer that is found without the floor is to be found with it", async () => {
  const { figures, predictions } = await evalFloor(
    { branches },
    {
      unanswerable: { nonsense: ["zzz", "said zzz"] },
      answerable: [
        { text: "said", articleId: 1 },
        { text: "unheard", articleId: 1 },
        { text: "said too, of nobody", articleId: 3 },
      ],
    },
  );
  expect(figures).toEqual({ "silent, nonsense": 0.5, "recall kept": 0.5 });
  expect(predictions).toContain("lost\t1\tunheard");
});

test("questions are chosen on one half and measured on another, in both languages", () => {
  for (const kind of ["nonsense", "off"] as const) {
    const [chosen, measured] = [questions.development[kind], questions.test[kind]];
    expect(new Set([...chosen, ...measured]).size).toBe(chosen.length + measured.length);
    for (const half of [chosen, measured]) {
      expect(half.filter((text) => /\p{Script=Arabic}/u.test(text)).length).toBeGreaterThan(5);
      expect(half.filter((text) => /[a-z]/.test(text)).length).toBeGreaterThan(5);
    }
  }
});

const dir = mkdtempSync(join(tmpdir(), "isnad-floor-"));
afterAll(() => rmSync(dir, { recursive: true }));

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function newsFile(count: number): string {
  const path = join(dir, `news-${count}.jsonl.gz`);
  const rows = Array.from({ length: count }, (_, n) => ({
    title: `Headline number ${n} has more than five words`,
    text: `The text of article ${n}.`,
  }));
  writeFileSync(path, gzipSync(lines(rows)));
  return path;
}

test("an archive of news has so many articles spread over its file, each asked for by five words", () => {
  const { documents, answerable } = archiveOf("news, 4 articles", newsFile(10));
  expect(documents.map(({ text }) => text)).toEqual([0, 2, 5, 7].map((n) => `The text of article ${n}.`));
  expect(answerable).toEqual([0, 2, 5, 7].map((n, i) => ({ text: `Headline number ${n} has more`, articleId: i + 1 })));
  expect(archiveOf("news, 50 articles", newsFile(3)).documents).toHaveLength(3);
});

test("an archive of questions has one article for each, the first that is relevant", () => {
  const folder = join(dir, "beir");
  mkdirSync(folder);
  const documents = ["a", "b", "c"].map((_id) => ({ _id, title: "", text: `text ${_id}` }));
  writeFileSync(join(folder, "corpus.jsonl"), lines(documents));
  writeFileSync(join(folder, "queries.jsonl"), lines(["q1", "q2", "q3"].map((_id) => ({ _id, text: `asks ${_id}` }))));
  writeFileSync(join(folder, "qrels.tsv"), "q1\ta\t0\nq1\tc\t1\nq2\tgone\t1\nq3\tb\t2\n");
  const archive = archiveOf("own", folder);
  expect(archive.documents.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(archive.answerable).toEqual([
    { text: "asks q1", articleId: 3 },
    { text: "asks q3", articleId: 2 },
  ]);
});

test("the first articles of a newcomer are archives of one, or one archive of all", () => {
  const alone = firstArticles("first articles, each alone");
  const [together, ...more] = firstArticles("first articles, together");
  expect(more).toEqual([]);
  expect(alone.map(({ documents }) => documents.length)).toEqual(alone.map(() => 1));
  expect(together?.documents).toEqual(alone.flatMap(({ documents }) => documents));
  for (const { answerable } of alone) expect(answerable.every(({ articleId }) => articleId === 1)).toBe(true);
  expect(together?.answerable.map(({ text }) => text)).toEqual(
    alone.flatMap(({ answerable }) => answerable.map(({ text }) => text)),
  );
  const places = new Set(together?.answerable.map(({ articleId }) => articleId));
  expect(places).toEqual(new Set(alone.map((_, i) => i + 1)));
});

test("no question of a kind, and no answer found without the floor, is no division by zero", async () => {
  const { figures } = await evalFloor({ branches }, { unanswerable: { nonsense: [] }, answerable: [] });
  expect(figures).toEqual({ "silent, nonsense": 0, "recall kept": 0 });
});

test("a set of each size is measured, each under a name that says how many articles it has", () => {
  const sets = floor.sets("/data", { full: false }).filter(({ path }) => path.endsWith(".gz"));
  expect(sets.map(({ set }) => Number(/(\d+) articles$/.exec(set)?.[1]))).toEqual([50, 500, 5000, 50, 500, 5000]);
});
