import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { evaluate, type Line, measureInProcesses } from "./main.ts";
import { entities } from "./tasks/entities.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
afterAll(() => rmSync(dir, { recursive: true }));

const run = (...argv: string[]) => runWith(dir, ...argv);
async function runWith(folder: string, ...argv: string[]) {
  const { io, out, err } = captureIo({ ISNAD_SHARED: folder });
  return { code: await runCommand(evaluate, argv, io), out: out(), err: err() };
}

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** A collection of three documents, one of its files packed. */
function collection(): string {
  const folder = join(dir, "beir");
  mkdirSync(folder, { recursive: true });
  const documents = [
    { _id: "d1", title: "Ferry", text: "The harbour council keeps the ferry line open through the winter." },
    { _id: "d2", title: "أسعار", text: "رفع البنك المركزي أسعار الفائدة يوم الاثنين." },
    { _id: "d3", title: "Vaccines", text: "Schools begin a campaign of vaccination against measles." },
  ];
  writeFileSync(join(folder, "corpus.jsonl.gz"), gzipSync(lines(documents)));
  const queries = [
    { _id: "q1", text: "سعر الفائدة" },
    { _id: "q2", text: "measles vaccination" },
  ];
  writeFileSync(join(folder, "queries.jsonl"), lines(queries));
  writeFileSync(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\td2\t1\nq2\td3\t1\n");
  return folder;
}

test("without the data and without a set of one's own there is nothing to measure", async () => {
  const { code, out } = await run();
  expect([code, out.includes("nothing to measure")]).toEqual([0, true]);
});

test("a BEIR folder is measured by word, with one prediction a line", async () => {
  const out = join(dir, "predictions.tsv");
  const { code, out: json } = await run("--task", "keyword", "--data", collection(), "--out", out, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(json)).toMatchObject([{ task: "keyword", size: 2, metric: "nDCG@10", value: 1 }]);
  expect(readFileSync(out, "utf8")).toMatch(/^q1\td2\t1\t[\d.]+\nq2\td3\t1\t[\d.]+\n$/);
});

test("sentence pairs are measured in the direction that --lang names", async () => {
  const pairs = join(dir, "pairs.tsv");
  const rows = [
    ["The central bank raised interest rates", "رفع البنك المركزي أسعار الفائدة"],
    ["The team won the cup", "فاز الفريق بالكأس"],
  ];
  writeFileSync(pairs, rows.map((row) => `${row.join("\t")}\n`).join(""));
  const { code, out } = await run("--task", "embed", "--data", pairs, "--lang", "ar", "--json");
  expect(code).toBe(0);
  const measured: { metric: string; value: number }[] = JSON.parse(out);
  expect(measured.find(({ metric }) => metric === "recall@10")?.value).toBe(1);
});

test("sentence pairs without --lang are measured both ways", async () => {
  const pairs = join(dir, "both-ways.tsv");
  writeFileSync(pairs, "The central bank raised interest rates\tرفع البنك المركزي أسعار الفائدة\n");
  const { out } = await run("--task", "embed", "--data", pairs, "--json");
  const measured: { metric: string }[] = JSON.parse(out);
  expect(measured.map(({ metric }) => metric)).toEqual(
    ["ar-en", "en-ar"].flatMap((way) => [`recall@10 ${way}`, `nDCG@10 ${way}`]),
  );
});

test("a set that cannot be measured ends the command, and says why", async () => {
  const empty = join(dir, "empty");
  mkdirSync(empty);
  for (const task of ["checkworthiness", "entities", "keyword"]) {
    const { code, err } = await run("--task", task, "--data", empty);
    expect([task, code]).toEqual([task, 1]);
    expect(err).toContain(`${task} reads `);
  }
  const unknown = join(dir, "unknown.conll");
  writeFileSync(unknown, "Aspirin B-DRUG\nhelps O\n");
  const { code, err } = await run("--task", "entities", "--data", unknown);
  expect(code).toBe(1);
  expect(err).toContain("does not know (DRUG)");
});

test("hybrid search and the reranker are measured on a BEIR folder", async () => {
  for (const task of ["hybrid", "rerank"]) {
    const { code, out } = await run("--task", task, "--data", collection(), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)[0]).toMatchObject({ task, metric: "nDCG@10", size: 2 });
  }
}, 300_000);

test("sentences and tokens are measured, their predictions in the order of the set", async () => {
  const claims = join(dir, "claims.tsv");
  writeFileSync(
    claims,
    "Sentence_id\tText\tclass_label\n7\tUnemployment fell by 4 percent last year.\tYes\n3\tThank you.\tNo\n",
  );
  const out = join(dir, "out.tsv");
  expect((await run("--task", "checkworthiness", "--data", claims, "--lang", "en", "--out", out)).code).toBe(0);
  const rowsOf = (): string[][] =>
    readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
  const scores = rowsOf();
  expect(scores.map(([id, , decision]) => [id, decision])).toEqual([
    ["7", "Yes"],
    ["3", "No"],
  ]);
  expect(Number(scores[0]?.[1])).toBeGreaterThan(Number(scores[1]?.[1]));

  const debates = join(dir, "debates");
  mkdirSync(debates);
  for (const name of ["a.tsv", "b.tsv"]) {
    writeFileSync(join(debates, name), "1\tHOLT\tGood evening.\t0\n2\tHOLT\tTaxes fell by 4 percent.\t1\n");
  }
  expect((await run("--task", "checkworthiness", "--data", debates, "--out", out)).code).toBe(0);
  expect(rowsOf().map(([file, id]) => [file, id])).toEqual(
    ["a.tsv", "b.tsv"].flatMap((file) => [
      [file, "1"],
      [file, "2"],
    ]),
  );

  const tokens = join(dir, "tokens.conll");
  writeFileSync(tokens, "Angela B-PER\nMerkel I-PER\nvisited O\nParis B-LOC\n\nHe O\nleft O\n");
  expect((await run("--task", "entities", "--data", tokens, "--out", out)).code).toBe(0);
  expect(readFileSync(out, "utf8").trim().split("\n")).toHaveLength(6);
}, 300_000);

test.each([
  [["--task", "magic"], 2, "no task magic"],
  [["--data", "x"], 2, "--data needs --task"],
  [["--task", "embed", "--out", "x"], 2, "--out needs --data"],
  [["--task", "embed", "--data", "x", "--lang", "fr"], 2, "--lang"],
  [["--task", "checkworthiness", "--data", "x", "--genre", "poetry"], 2, "--genre"],
  [["--task", "embed", "--data", "/nowhere/x"], 1, "/nowhere/x: there is no such file or folder"],
])("wrong usage %j is told", async (argv, code, words) => {
  const result = await run(...argv);
  expect(result.code).toBe(code);
  expect(result.err).toContain(words);
});

const shared = mkdtempSync(join(tmpdir(), "isnad-eval-"));
afterAll(() => rmSync(shared, { recursive: true }));

const env = { ...process.env, ISNAD_SHARED: shared };
mkdirSync(join(shared, "data/news"), { recursive: true });
for (const { path } of entities.sets(join(shared, "data"), { full: false })) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "Angela B-PER\nMerkel I-PER\nvisited O\nParis B-LOC\n\n".repeat(5));
}

test("each task is measured in a process of its own, and printed as it ends", async () => {
  const printed: Line[] = [];
  const tasks = [{ name: "entities" }, { name: "feeds" }];
  const lines = await measureInProcesses(tasks, { full: false, env, print: (line) => printed.push(line) });
  expect(new Set(lines.map(({ set }) => set)).size).toBe(3);
  for (const { task, corpus, value } of lines) {
    expect([task, corpus.length]).toEqual(["entities", 64]);
    expect(value).toBeWithin(0, 1.0001);
  }
  expect(printed).toEqual(lines);
}, 300_000);

test("a task that fails is named with what it said", () => {
  const failing = measureInProcesses([{ name: "keyword" }], { full: false, env, print: () => {} });
  return expect(failing).rejects.toThrow(/^keyword failed: .*corpus/s);
}, 300_000);

test("a set that is not the one its floors were measured on ends the command with 1, each figure named", async () => {
  const folder = mkdtempSync(join(dir, "cases-"));
  const cases = join(folder, "cases");
  mkdirSync(join(folder, "data/news"), { recursive: true });
  mkdirSync(cases);
  const page =
    '<html><head><meta property="article:published_time" content="2026-10-24"></head><body><h1>Pier</h1></body></html>';
  writeFileSync(join(cases, "a.html"), page);
  const one = { file: "a.html", kind: "authors", url: "https://n.example/1", expect: { date: "2026-10-24" } };
  writeFileSync(join(cases, "cases.json"), JSON.stringify([one]));
  const { code, out, err } = await runWith(folder, "--task", "cases");
  expect(code).toBe(1);
  expect(err.trim().split("\n")).toEqual([
    "cases authors right: the corpus is not the one that the floor was measured on",
    "cases all kinds right: the corpus is not the one that the floor was measured on",
  ]);
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => line.split(/\s{2,}/)),
  ).toEqual([
    ["cases", "authors", "1", "right", "1.0000"],
    ["cases", "all kinds", "1", "right", "1.0000"],
  ]);
  writeFileSync(join(cases, "cases.json"), JSON.stringify([{ ...one, kind: "a kind without a floor" }]));
  const json = await runWith(folder, "--task", "cases", "--json");
  const measured: { set: string; corpus: string }[] = JSON.parse(json.out);
  expect(measured.map(({ set, corpus }) => [set, corpus.length])).toEqual([
    ["a kind without a floor", 64],
    ["all kinds", 64],
  ]);
  expect(json.err.trim().split("\n")).toHaveLength(1);
});

test("a task that the data folder has no set of is skipped, and says so", async () => {
  const folder = mkdtempSync(join(dir, "no-feeds-"));
  mkdirSync(join(folder, "data/news"), { recursive: true });
  const { code, err } = await runWith(folder, "--task", "feeds");
  expect([code, err]).toEqual([0, `feeds: skipped, ${join(folder, "data")} has no set of it\n`]);
});
