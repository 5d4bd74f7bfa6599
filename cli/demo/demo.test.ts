import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dir = mkdtempSync(join(tmpdir(), "isnad-demo-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the demo as its command does, on free ports. */
function runDemo(...argv: string[]) {
  return runDemoOn(dir, ...argv);
}

function runDemoOn(dataDir: string, ...argv: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...argv], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      API_PORT: "0",
      RETRIEVAL_PORT: "0",
      SCRAPER_PORT: "0",
      EDGE_PORT: "0",
      NLP_PORT: "0",
      DEMO_SITE_PORT: "0",
      DEMO_EXIT: undefined,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, out: () => out };
}

test("the demo brings its newsroom in, each search finds its answer first, and everything stops again", async () => {
  const { ended, out } = runDemo("--exit", "--json");
  const code = await ended;
  const { searches, answer, summary } = JSON.parse(out());
  expect(searches.map(({ answer, rank }: { answer: string; rank: number }) => `${rank} ${answer}`)).toEqual([
    "1 central-bank-rate",
    "1 museum-bronzes",
    "1 antibiotic-resistance",
  ]);
  expect(answer.message.content).toMatch(/410 ملايين دينار.*\[\d\]/);
  expect(summary).toMatchObject({ model: "isnad-extractive", summary: expect.stringMatching(/^- Sahlan's main port/) });
  expect(code).toBe(0);
  expect(existsSync(join(dir, "run.json"))).toBe(false);
}, 120_000);

test("a second demo on the same data stays up with its URLs shown until it is interrupted; a third one uses what is up", async () => {
  const { child, ended, out } = runDemo();
  const deadline = performance.now() + 100_000;
  while (!out().includes("Ctrl-C stops everything.") && child.exitCode === null && performance.now() < deadline) {
    await Bun.sleep(50);
  }
  expect(out()).toContain("0 of them new to the platform");
  const [, api = ""] = out().match(/(http:\/\/127\.0\.0\.1:\d+)\/v1\/search/) ?? [];
  expect((await fetch(`${api}/api/v1/health`)).status).toBe(200);
  const docs = Array.from(out().matchAll(/^ {2}(\w+) +(http\S+\/docs)$/gm), ([, name, url]) => ({ name, url }));
  expect(docs.map(({ name }) => name)).toEqual(["api", "retrieval", "nlp", "edge", "scraper"]);
  for (const { url = "" } of docs) expect((await fetch(url)).status).toBe(200);

  const third = runDemo("--json");
  expect(await third.ended).toBe(0);
  expect(JSON.parse(third.out()).searches.length).toBe(3);
  expect((await fetch(`${api}/api/v1/health`)).status).toBe(200);

  child.kill("SIGINT");
  expect(await ended).toBe(0);
  await expect(fetch(`${api}/api/v1/health`)).rejects.toThrow();
}, 120_000);

test("a demo whose data folder cannot be written says so and ends", async () => {
  const file = join(dir, "no-folder");
  writeFileSync(file, "");
  const { ended, out } = runDemoOn(join(file, "data"), "--exit");
  expect(await ended).toBe(1);
  expect(out()).toContain("demo: ENOTDIR");
});
