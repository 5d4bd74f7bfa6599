/**
 * `bun bench/pipeline.ts FILE.jsonl[.gz] …`: starts a stack of its own, imports the files, and measures from the first
 * post until every article is found by both branches, and until every stage has ended: articles a second, processor
 * time an article, and the most memory of each process.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startStack } from "../e2e/faults/stack.ts";
import { gauge, peak, type Usage, usage, waiting } from "./processes.ts";

const files = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const say = (line: string) => process.stdout.write(`${line}\n`);
if (files.length === 0) {
  say("usage: bun bench/pipeline.ts FILE.jsonl[.gz] …");
  process.exit(2);
}

/** The workers publish what waits every two seconds: nothing waits where they have said so for longer. */
const PUBLISHED_MS = 5_000;

const dataDir = mkdtempSync(join(tmpdir(), "isnad-pipeline-"));
const stack = await startStack(dataDir, { LOG_LEVEL: "warn" });
try {
  const { api = "", retrieval = "" } = stack.info().urls;
  const used: Record<string, Usage> = {};
  const before = usage(stack);
  const startedAt = performance.now();
  let imported = 0;
  const command = join(root, "cli", "main.ts");
  const importer = spawn(process.execPath, [command, "articles:import", ...files], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  let failure: number | undefined;
  importer.once("exit", (status) => {
    imported = performance.now() - startedAt;
    if (status !== 0) failure = status ?? 1;
  });

  let done = false;
  let articles = 0;
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    peak(used, usage(stack));
    if (failure !== undefined) throw new Error(`the import ended with ${failure}`);
    if (imported === 0 || (await gauge(api, "articles_pending")) !== 0) continue;
    articles = await gauge(retrieval, 'retrieval_index_articles{index="keyword"}');
    done = articles > 0 && articles === (await gauge(retrieval, 'retrieval_index_articles{index="vector"}'));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  say(
    `${articles} articles posted in ${(imported / 1000).toFixed(1)} s, found by both branches after ${seconds.toFixed(1)} s`,
  );
  say(`${(articles / seconds).toFixed(0)} articles/s`);
  let endedAt = performance.now();
  while (performance.now() - endedAt < PUBLISHED_MS) {
    if ((await waiting(api)) !== 0) endedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 250));
    peak(used, usage(stack));
  }
  const analysed = (endedAt - startedAt) / 1000;
  say(
    `every stage ended after ${analysed.toFixed(1)} s: ${(articles / analysed).toFixed(1)} fully analysed articles/s`,
  );
  for (const [name, { cpuS, rssMb }] of Object.entries(used)) {
    const ms = ((cpuS - (before[name]?.cpuS ?? 0)) * 1000) / articles;
    say(`${name.padEnd(10)} ${ms.toFixed(2).padStart(6)} ms of processor time an article, at most ${rssMb} MB`);
  }
} finally {
  await stack.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
