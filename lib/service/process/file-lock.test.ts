import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryExclusive, tryShared } from "./file-lock.ts";

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
    const script = `import { tryShared } from ${JSON.stringify(join(import.meta.dir, "file-lock.ts"))};
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
