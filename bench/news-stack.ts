import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import { type Stack, startStack } from "../e2e/faults/stack.ts";
import { readJsonLines } from "../eval/retrieval-sets.ts";
import { gauge, waiting } from "./processes.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const POLL_MS = 500;

/** Shares of the corpora in what is imported: two Arabic articles to one English one. */
const CORPORA = [
  { name: "ant_v2_ar", share: 2 / 3 },
  { name: "english", share: 1 / 3 },
];

/** A line of the news corpora. */
export type NewsRow = { title: string; text: string } & Record<string, unknown>;

/** Reads `count` articles of the news in `folder`, spread evenly over each corpus. */
export function newsRows(folder: string, count: number): NewsRow[] {
  return CORPORA.flatMap(({ name, share }) => {
    const rows = readJsonLines(`${folder}/news/${name}.jsonl`).flatMap((row): NewsRow[] => {
      const { title, text } = row;
      return typeof title === "string" && typeof text === "string" && title !== "" && text.length > 200
        ? [{ ...row, title, text }]
        : [];
    });
    const wanted = Math.round(count * share);
    const step = Math.max(1, rows.length / wanted);
    return Array.from({ length: Math.min(wanted, rows.length) }, (_, i) => rows[Math.floor(i * step)]).filter(
      (row) => row !== undefined,
    );
  });
}

/** Runs `work` beside a stack of its own on an empty folder, then ends the stack and removes the folder. */
export async function withStack<T>(env: Record<string, string>, work: (stack: Stack) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-stack-"));
  try {
    const stack = await startStack(dataDir, { LOG_LEVEL: "warn", ...env });
    try {
      return await work(stack);
    } finally {
      await stack.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Imports articles into a stack, and waits until both branches find them all. @throws Error when the import fails */
export async function importNews(stack: Stack, rows: readonly NewsRow[]): Promise<void> {
  const file = join(stack.dataDir, "bench-news.jsonl");
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const importer = spawn(process.execPath, [join(ROOT, "cli", "main.ts"), "articles:import", file], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: stack.dataDir, DATABASE_URL: "" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(importer, "exit");
  if (code !== 0) throw new Error(`articles:import ended with ${code}`);
  const { api = "", retrieval = "" } = stack.info().urls;
  const indexed = (index: string) => gauge(retrieval, `retrieval_index_articles{index="${index}"}`);
  for (;;) {
    const [pending, keyword, vector] = [
      await gauge(api, "articles_pending"),
      await indexed("keyword"),
      await indexed("vector"),
    ];
    if (pending === 0 && keyword > 0 && keyword === vector) return;
    await sleep(POLL_MS);
  }
}

/** Waits until every stage has ended, `maxMs` at most. Returns how many articles wait for one still. */
export async function stagesEnd(stack: Stack, maxMs: number): Promise<number> {
  const endsAt = performance.now() + maxMs;
  const { api = "" } = stack.info().urls;
  for (;;) {
    const left = await waiting(api);
    if (left === 0 || performance.now() > endsAt) return left;
    await sleep(POLL_MS);
  }
}
