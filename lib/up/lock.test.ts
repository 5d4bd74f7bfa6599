import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeLock } from "./lock.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-lock-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("a lock is held once, and can be taken again after its release", () => {
  const path = join(dir, "once.lock");
  const first = takeLock(path);
  expect(first).not.toBeNull();
  expect(takeLock(path)).toBeNull();
  first?.release();
  const second = takeLock(path);
  expect(second).not.toBeNull();
  second?.release();
});

test("the lock of a process that was killed is free at once", async () => {
  const path = join(dir, "killed.lock");
  const script = `
    const { takeLock } = await import(${JSON.stringify(join(import.meta.dirname, "lock.ts"))});
    const lock = takeLock(${JSON.stringify(path)});
    process.stdout.write(lock ? "held" : "busy");
    setInterval(() => lock.release.length, 1000);
  `;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const reader = holder.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("held");
  expect(takeLock(path)).toBeNull();
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = takeLock(path);
  expect(lock).not.toBeNull();
  lock?.release();
});

test("a folder that is not there is an error, not a lock", () => {
  expect(() => takeLock(join(dir, "missing", "up.lock"))).toThrow();
});
