import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServices, stopServices } from "./testing-stack.ts";

const ROOT = join(import.meta.dirname, "..");
const dir = mkdtempSync(join(tmpdir(), "isnad-commands-"));
const env = {
  ...process.env,
  DATA_DIR: dir,
  API_PORT: "0",
  RETRIEVAL_PORT: "0",
  LOG_LEVEL: "warn",
};
const file = join(dir, "archive.jsonl");
let stack: ChildProcess | undefined;

/** Articles of the archive, half of them in each language. */
const ARTICLES = 80;

/** Runs an operator command as its script does. */
async function command(...argv: string[]): Promise<{ code: number | null; json: Record<string, unknown> }> {
  const child = spawn(process.execPath, [join(ROOT, "cli/main.ts"), ...argv, "--json"], { env });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, json: JSON.parse(out) };
}

async function api(path: string): Promise<Record<string, unknown>> {
  const { urls } = await Bun.file(join(dir, "run.json")).json();
  const body: unknown = await (await fetch(urls.api + path)).json();
  return { ...(typeof body === "object" ? body : {}) };
}

beforeAll(async () => {
  const lines = Array.from({ length: ARTICLES }, (_, i) => ({
    id: `a${i}`,
    source: "archive",
    lang: i % 2 === 0 ? "ar" : "en",
    title: i % 2 === 0 ? `تقرير رقم ${i} عن الميناء` : `Report number ${i} on the harbour`,
    text: (i % 2 === 0
      ? `وصلت السفينة ${i} إلى الميناء صباح اليوم. `
      : `Ship ${i} reached the harbour this morning. `
    ).repeat(7),
    published: "26-FEB-1987 15:01:01.79",
  }));
  const more = [
    { id: "short", source: "archive", title: "t", text: "too short" },
    { ...lines[0], source: "copy" },
  ];
  writeFileSync(file, [...lines, ...more].map((line) => JSON.stringify(line)).join("\n"));
  stack = await startServices(["api", "workers", "retrieval"], env);
}, 300_000);

afterAll(async () => {
  await stopServices(stack);
  rmSync(dir, { recursive: true, force: true });
}, 300_000);

test("an archive is imported and found; a second time all of it is a duplicate", async () => {
  const first = await command("articles:import", file, "--wait", "--batch=40");
  expect(first.code).toBe(0);
  expect(first.json.files).toMatchObject([
    { received: ARTICLES + 2, accepted: ARTICLES, duplicate: 1, conflict: 0, failed: 1 },
  ]);
  const found = await api("/v1/search?q=%D8%A7%D9%84%D8%B3%D9%81%D9%8A%D9%86%D8%A9&mode=bm25&limit=100");
  expect(found.results).toHaveLength(ARTICLES);
  const second = await command("articles:import", file);
  expect(second.json.files).toMatchObject([
    { received: ARTICLES + 2, accepted: 0, duplicate: ARTICLES + 1, failed: 1 },
  ]);
}, 300_000);

test("items whose content has changed are set aside, the others are taken", async () => {
  const changed = join(dir, "changed.jsonl");
  const rows = [1, 300].map((i) => ({
    id: `a${i}`,
    source: "archive",
    lang: "en",
    title: "New",
    text: `Other words ${i}. `.repeat(20),
  }));
  writeFileSync(changed, rows.map((row) => JSON.stringify(row)).join("\n"));
  const { code, json } = await command("articles:import", changed, "--strict", "--wait");
  expect(json.files).toMatchObject([{ accepted: 1, conflict: 1 }]);
  expect(code).toBe(1);
}, 300_000);

test("a deleted article is gone, and a second deletion says so", async () => {
  const { results } = await api("/v1/search?q=Report%20number%2017%20harbour&mode=bm25&limit=1");
  const [hit] = Array.isArray(results) ? results : [];
  const id = String(hit?.article_id);
  expect(await command("article:delete", id)).toEqual({ code: 0, json: { results: [{ id, deleted: true }] } });
  expect((await api(`/v1/articles/${id}`)).status).toBe(404);
  expect((await command("article:delete", id)).code).toBe(1);
}, 300_000);

test("both indexes are rebuilt beside the running services, and setup changes nothing", async () => {
  const count = async () => (await api("/v1/search?q=harbour&mode=vector&limit=100")).results;
  const before = await count();
  const { code, json } = await command("search:reindex");
  expect(code).toBe(0);
  expect(json).toMatchObject({
    articles: ARTICLES,
    keyword: { rebuilt: true },
    vectors: { embedded: 0, broken: 0, rebuilt: true },
  });
  expect(await count()).toEqual(before);
  expect((await command("search:reindex", "--repair")).json).toMatchObject({ keyword: { rebuilt: true } });
  expect(await count()).toEqual(before);
  expect((await command("search:setup")).json).toMatchObject({ keyword: { created: false, documents: ARTICLES } });
}, 300_000);

test("a keyword index that was deleted while everything was stopped is left to the next start", async () => {
  await stopServices(stack);
  expect(existsSync(join(dir, "run.json"))).toBe(false);
  rmSync(join(dir, "keyword"), { recursive: true });
  // That the start makes it again is shown by the demo.
  expect((await command("search:reindex", "--keyword")).json).toMatchObject({ keyword: { rebuilt: false } });
}, 300_000);
