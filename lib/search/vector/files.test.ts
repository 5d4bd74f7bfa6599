import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashFile, renameDurably, writeDurably } from "../../service/process/files.ts";

describe("files", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "isnad-files-"));
  });
  afterAll(() => rm(dir, { recursive: true }));

  test("writeDurably() and hashFile() agree with each other and with the whole", async () => {
    const parts = [new Uint8Array(3_000_001).fill(7), new Uint8Array(), Uint8Array.of(1, 2, 3)];
    const path = join(dir, "parts");
    const written = await writeDurably(path, parts);
    const whole = await readFile(path);
    expect(whole.length).toBe(3_000_004);
    expect(written).toEqual({ bytes: whole.length, sha256: createHash("sha256").update(whole).digest("hex") });
    expect(await hashFile(path)).toEqual(written);
  });

  test("writeDurably() replaces what was there, longer or not", async () => {
    const path = join(dir, "again");
    await writeDurably(path, [new Uint8Array(100)]);
    expect((await writeDurably(path, [Uint8Array.of(5)])).bytes).toBe(1);
    expect([...(await readFile(path))]).toEqual([5]);
  });

  test("renameDurably() puts a file in another one's place", async () => {
    const [from, to] = [join(dir, "new"), join(dir, "old")];
    await writeDurably(from, [Uint8Array.of(1)]);
    await writeDurably(to, [Uint8Array.of(2)]);
    await renameDurably(from, to);
    expect([...(await readFile(to))]).toEqual([1]);
    expect(await readFile(from).catch(() => "gone")).toBe("gone");
  });
});
