import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { indexFile } from "./database.ts";
import { KeywordEngine } from "./engine.ts";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc } from "./types.ts";

setDefaultTimeout(60_000);

const DOC: KeywordDoc = {
  articleId: 1,
  title: "Harbour",
  content: "quiet",
  lang: "en",
  sourceId: "wire",
  categoryId: null,
  domain: "news.example",
  tier: 3,
  publishedAt: null,
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-keyword-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const fill = async () => {
  const index = await openKeywordIndex({ dir, mode: "write" });
  await index.upsert([DOC]);
  await index.markComplete();
  const { fresh } = index;
  const status = await index.status();
  await index.close();
  return { fresh, status };
};

test("an index stays what it was when it is opened again", async () => {
  expect(await fill()).toMatchObject({ fresh: true, status: { state: "ready", documents: 1, complete: true } });
  expect((await fill()).fresh).toBe(false);
});

test("a reader may come before the index is there, and finds it when it has been filled", async () => {
  const reader = await openKeywordIndex({ dir: join(dir, "later"), mode: "read" });
  expect(await reader.status()).toMatchObject({ state: "missing", documents: 0 });
  const error = await reader.search({ text: "harbour", limit: 1 }).catch((e: unknown) => e);
  expect(error).toMatchObject({ name: "KeywordIndexError", reason: "missing" });
  const writer = await openKeywordIndex({ dir: join(dir, "later"), mode: "write" });
  await writer.upsert([DOC]);
  const early = await reader.search({ text: "harbour", limit: 1 }).catch((e: unknown) => e);
  expect(early).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
  expect(await reader.status()).toEqual({ state: "unavailable", documents: 1, complete: false });
  await writer.markComplete();
  expect(await reader.search({ text: "harbour", limit: 1 })).toHaveLength(1);
  expect((await reader.status()).state).toBe("ready");
  await writer.close();
  await reader.close();
});

test("a damaged file is told from a good one, replaced by a writer, and its readers follow", async () => {
  for (const damage of [
    (file: string) => writeFileSync(file, "this is no database at all, however long it may be".repeat(100)),
    (file: string) => truncateSync(file, 5000),
  ]) {
    await fill();
    const reader = await openKeywordIndex({ dir, mode: "read" });
    expect(await reader.search({ text: "harbour", limit: 1 })).toHaveLength(1);
    for (const suffix of ["-wal", "-shm"]) rmSync(indexFile(dir) + suffix, { force: true });
    damage(indexFile(dir));
    const other = await openKeywordIndex({ dir, mode: "read" });
    expect((await other.status()).state).toBe("corrupt");
    await other.close();
    expect(await fill()).toMatchObject({ fresh: true, status: { documents: 1 } });
    expect(await reader.search({ text: "harbour", limit: 1 })).toHaveLength(1);
    await reader.close();
  }
});

test("a row that is not what was written is never served, and the next writer begins anew", async () => {
  for (const change of [
    "update doc set words = x'0102'",
    "update doc set lang = 'ar'",
    "update vocabulary set terms = x'010100'",
    "update source set tier = 1",
  ]) {
    await fill();
    const db = new DatabaseSync(indexFile(dir));
    db.exec(change);
    const reader = await openKeywordIndex({ dir, mode: "read" });
    for (let i = 0; i < 2; i++) {
      const error = await reader.search({ text: "harbour", limit: 1 }).catch((e: unknown) => e);
      expect(error).toMatchObject({ name: "KeywordIndexError", reason: "corrupt" });
      expect(await reader.status()).toMatchObject({ state: "corrupt" });
    }
    db.close();
    expect(await fill()).toMatchObject({ fresh: true });
    expect(await reader.search({ text: "harbour", limit: 1 })).toHaveLength(1);
    await reader.close();
  }
});

test("a byte changed in the tables of words is noticed before anything is served", async () => {
  for (const [from, to] of [
    ["harbour", "harbouq"],
    ["quiet", "quieu"],
  ] as const) {
    await fill();
    const db = new DatabaseSync(indexFile(dir));
    db.exec("pragma wal_checkpoint(truncate); pragma journal_mode = delete");
    db.close();
    const whole = readFileSync(indexFile(dir));
    const places: number[] = [];
    for (let at = whole.indexOf(from); at >= 0; at = whole.indexOf(from, at + 1)) places.push(at);
    expect(places.length).toBeGreaterThanOrEqual(4);
    for (const place of places) {
      const changed = Buffer.from(whole);
      changed.write(to, place);
      writeFileSync(indexFile(dir), changed);
      const reader = new KeywordEngine(dir, "read");
      const error = await reader.search({ text: from, limit: 1 }).catch((e: unknown) => e);
      expect(error).toMatchObject({ name: "KeywordIndexError", reason: "corrupt" });
      reader.close();
      for (const suffix of ["-wal", "-shm"]) rmSync(indexFile(dir) + suffix, { force: true });
    }
    rmSync(indexFile(dir));
  }
});

test("a writer notices that its file was removed, replaced, or found damaged by a reader", async () => {
  const remove = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(indexFile(dir) + suffix, { force: true });
  };
  const replace = async () => {
    remove();
    await fill();
  };
  const damage = async () => {
    const db = new DatabaseSync(indexFile(dir));
    db.exec("update doc set words = x'0102'");
    db.close();
    const reader = await openKeywordIndex({ dir, mode: "read" });
    await reader.search({ text: "harbour", limit: 1 }).catch(() => undefined);
    await reader.close();
  };
  for (const [lose, reason] of [
    [remove, "missing"],
    [replace, "missing"],
    [damage, "corrupt"],
  ] as const) {
    await fill();
    const writer = await openKeywordIndex({ dir, mode: "write" });
    expect(await writer.missing([])).toEqual([]);
    await lose();
    expect(await writer.upsert([DOC]).catch((e: unknown) => e)).toMatchObject({ reason });
    expect(await writer.missing([]).catch((e: unknown) => e)).toMatchObject({ reason });
    expect(await writer.status()).toMatchObject({ state: reason });
    await writer.close();
  }
});

test("an index of another version is made anew", async () => {
  await fill();
  const db = new DatabaseSync(indexFile(dir));
  db.exec("update meta set value = 'old' where key = 'version'");
  db.close();
  const reader = await openKeywordIndex({ dir, mode: "read" });
  expect((await reader.status()).state).toBe("other-version");
  await reader.close();
  expect((await fill()).fresh).toBe(true);
});

test("clear() empties the index and takes back that it is complete", async () => {
  await fill();
  const index = await openKeywordIndex({ dir, mode: "write" });
  await index.clear();
  expect(await index.status()).toEqual({ state: "ready", documents: 0, complete: false });
  expect(await index.search({ text: "harbour", limit: 1 })).toEqual([]);
  await index.upsert([DOC]);
  expect(await index.search({ text: "harbour", limit: 1 })).toHaveLength(1);
  await index.close();
});

test("a writer waits for one that is just making the file", async () => {
  const folder = join(dir, "being-made");
  mkdirSync(folder);
  const other = new DatabaseSync(join(folder, "keyword.db"));
  other.exec("begin exclusive; create table being_made (id)");
  const opening = openKeywordIndex({ dir: folder, mode: "write" });
  await Bun.sleep(100);
  other.exec("drop table being_made; commit");
  other.close();
  const writer = await opening;
  expect(writer.fresh).toBe(true);
  await writer.close();
});

test("two writers of one folder wait for each other", async () => {
  const writers = await Promise.all([1, 2].map(() => openKeywordIndex({ dir, mode: "write" })));
  expect(writers.filter((writer) => writer.fresh)).toHaveLength(1);
  await Promise.all(
    writers.flatMap((writer, w) =>
      Array.from({ length: 20 }, (_, i) => writer.upsert([{ ...DOC, articleId: 1 + i * 2 + w }])),
    ),
  );
  expect(await writers[0]?.count()).toBe(40);
  for (const writer of writers) await writer.close();
});

test("a process killed while it writes leaves whole transactions", async () => {
  const script = `
    import { openKeywordIndex } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
    const index = await openKeywordIndex({ dir: ${JSON.stringify(dir)}, mode: "write" });
    for (let n = 0; ; n++) {
      const docs = Array.from({ length: 10 }, (_, i) => ({ ...${JSON.stringify(DOC)}, articleId: n * 10 + i + 1 }));
      await index.upsert(docs);
      process.stdout.write(n + "\\n");
    }`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  let acknowledged = -1;
  for await (const chunk of child.stdout) {
    const last = new TextDecoder().decode(chunk).trim().split("\n").at(-1);
    acknowledged = Number(last);
    if (acknowledged >= 5) break;
  }
  child.kill("SIGKILL");
  await child.exited;
  const index = await openKeywordIndex({ dir, mode: "write" });
  expect(index.fresh).toBe(false);
  const count = await index.count();
  expect(count % 10).toBe(0);
  expect(count).toBeGreaterThanOrEqual((acknowledged + 1) * 10);
  expect(await index.search({ text: "harbour", limit: 1000 })).toHaveLength(Math.min(count, 1000));
  await index.close();
});

test("calls after close() reject", async () => {
  const index = await openKeywordIndex({ dir, mode: "write" });
  await index.close();
  const error = await index.count().catch((e: unknown) => e);
  expect(error).toMatchObject({ reason: "closed" });
});

test("several readers answer at the same time, each rightly", async () => {
  await fill();
  const reader = await openKeywordIndex({ dir, mode: "read", readers: 3 });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => reader.search({ text: i % 2 === 0 ? "harbour" : "nothing", limit: 5 })),
  );
  expect(answers.map((hits) => hits.length)).toEqual(answers.map((_, i) => (i % 2 === 0 ? 1 : 0)));
  await reader.close();
});
