import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivate } from "./private-folder.ts";

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
    import { keepFilesPrivate } from "${join(import.meta.dir, "private-folder.ts")}";
    keepFilesPrivate();
    require("node:fs").writeFileSync("${file}", "");`;
  expect(await Bun.spawn([process.execPath, "-e", code]).exited).toBe(0);
  expect(modeOf("made")).toBe("600");
});
