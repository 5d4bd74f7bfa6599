import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  makePrivate,
  removeRunFile,
  runFilePath,
  runningUrls,
  tryExclusive,
  tryShared,
  writeRunFile,
} from "./files.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "isnad-private-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (...path: string[]) => (statSync(join(parent, ...path)).mode & 0o777).toString(8);

test("a folder that is not there is made for its owner alone", () => {
  makePrivate(join(parent, "a", "data"));
  expect(modeOf("a", "data")).toBe("700");
});

test("one that others could read is tightened with what lies in it, and what they may run stays runnable", () => {
  mkdirSync(join(parent, "data", "keyword"), { recursive: true });
  writeFileSync(join(parent, "data", "keyword", "keyword.db"), "");
  writeFileSync(join(parent, "data", "tool"), "");
  chmodSync(join(parent, "data"), 0o755);
  chmodSync(join(parent, "data", "keyword", "keyword.db"), 0o644);
  chmodSync(join(parent, "data", "tool"), 0o755);
  makePrivate(join(parent, "data"));
  expect([modeOf("data"), modeOf("data", "keyword"), modeOf("data", "keyword", "keyword.db")]).toEqual([
    "700",
    "700",
    "600",
  ]);
  expect(modeOf("data", "tool")).toBe("700");
});

test("what a link leads to, and the database's own files, are left alone", () => {
  mkdirSync(join(parent, "data", "postgres", "cluster"), { recursive: true });
  writeFileSync(join(parent, "outside"), "");
  chmodSync(join(parent, "outside"), 0o644);
  chmodSync(join(parent, "data", "postgres", "cluster"), 0o750);
  symlinkSync(join(parent, "outside"), join(parent, "data", "link"));
  makePrivate(join(parent, "data"));
  expect(modeOf("outside")).toBe("644");
  expect(modeOf("data", "postgres", "cluster")).toBe("750");
});

test("what a process makes after it asked for that is for its own user alone", async () => {
  const file = join(parent, "made");
  const code = `
    import { keepFilesPrivate } from "${join(import.meta.dir, "files.ts")}";
    keepFilesPrivate();
    require("node:fs").writeFileSync("${file}", "");`;
  expect(await Bun.spawn([process.execPath, "-e", code]).exited).toBe(0);
  expect(modeOf("made")).toBe("600");
});

const dir = mkdtempSync(join(tmpdir(), "isnad-run-"));
afterAll(() => rmSync(dir, { recursive: true }));

const INFO = {
  urls: { api: "http://127.0.0.1:8080" },
  tokens: { ingest: "i", metrics: "m", scraper: "s", edge: "e" },
  pids: { up: 1 },
};

test("run.json is readable by its owner alone, also where an open one lay before", () => {
  writeFileSync(runFilePath(dir), "old", { mode: 0o644 });
  writeRunFile(dir, INFO);
  expect(statSync(runFilePath(dir)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(runFilePath(dir), "utf8"))).toEqual(INFO);
  expect(readdirSync(dir)).toEqual(["run.json"]);
  expect(runningUrls(dir)).toEqual(["http://127.0.0.1:8080"]);
});

test("removing it twice is no error", () => {
  removeRunFile(dir);
  removeRunFile(dir);
  expect(existsSync(runFilePath(dir))).toBe(false);
  expect(runningUrls(dir)).toEqual([]);
});

test("a file that is no JSON names no URLs", () => {
  const other = mkdtempSync(join(tmpdir(), "isnad-run-"));
  for (const text of ["{", "3", '{"urls":null}', '{"urls":{"api":3}}']) {
    writeFileSync(runFilePath(other), text);
    expect(runningUrls(other)).toEqual([]);
  }
  rmSync(other, { recursive: true });
});

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "isnad-locks-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
const newPath = () => join(folder, `${count++}.lock`);

describe("a lock on a file", () => {
  test("held exclusively keeps out everyone else", () => {
    const path = newPath();
    const lock = tryExclusive(path);
    expect(lock).toBeDefined();
    expect(tryExclusive(path)).toBeUndefined();
    expect(tryShared(path)).toBeUndefined();
    lock?.release();
    expect(tryExclusive(path)).toBeDefined();
  });

  test("is shared by any number of holders and keeps an exclusive one out until the last has gone", () => {
    const path = newPath();
    const holders = [tryShared(path), tryShared(path)];
    expect(holders.every((holder) => holder !== undefined)).toBe(true);
    expect(tryExclusive(path)).toBeUndefined();
    holders[0]?.release();
    expect(tryExclusive(path)).toBeUndefined();
    holders[1]?.release();
    expect(tryExclusive(path)).toBeDefined();
  });

  test("is given back when its process is killed", async () => {
    const path = newPath();
    const script = `import { tryShared } from ${JSON.stringify(join(import.meta.dir, "files.ts"))};
      globalThis.lock = tryShared(${JSON.stringify(path)}); console.log("held"); setInterval(() => globalThis.lock, 1000);`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(tryExclusive(path)).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(tryExclusive(path)).toBeDefined();
  });

  test("fails in a folder that is not there", () => {
    expect(() => tryExclusive(join(folder, "missing", "x.lock"))).toThrow();
  });
});
