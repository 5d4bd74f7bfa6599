import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileFacts, readLines } from "./lines.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-lines-"));
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}

async function collect(path: string, options?: { maxLine?: number }): Promise<string[]> {
  const out: string[] = [];
  for await (const line of readLines(path, options)) out.push(`${line.number} ${line.text}`);
  return out;
}

test("plain and gzip files give the same lines, whatever their names", async () => {
  const content = "أول\nsecond\n\nرابع";
  const lines = ["1 أول", "2 second", "3 ", "4 رابع"];
  expect(await collect(file("plain.txt", content))).toEqual(lines);
  expect(await collect(file("packed.jsonl", gzipSync(content)))).toEqual(lines);
});

test("a last line feed makes no line, and an empty file has none", async () => {
  expect(await collect(file("fed", "a\nb\n"))).toEqual(["1 a", "2 b"]);
  expect(await collect(file("empty", ""))).toEqual([]);
});

test("characters that a read splits in two arrive whole", async () => {
  const content = `${"ب".repeat(300_001)}\n${"🜂".repeat(200_001)}\nآخر`;
  const lines = await collect(file("split", content));
  expect(lines.map((line) => Array.from(line).length)).toEqual([300_003, 200_003, 5]);
  expect(lines.join("")).not.toContain("\uFFFD");
});

test("the bytes read grow towards the size of the file", async () => {
  const path = file("grow", `${"x".repeat(999)}\n`.repeat(2000));
  let last = 0;
  for await (const { bytesRead } of readLines(path)) {
    expect(bytesRead).toBeGreaterThanOrEqual(last);
    last = bytesRead;
  }
  expect(last).toBe((await fileFacts(path)).size);
});

test("a reader that stops early closes the file", async () => {
  for await (const line of readLines(file("early", "a\nb\nc"))) {
    expect(line.text).toBe("a");
    break;
  }
});

test("a line over the limit ends the reading instead of filling the memory", async () => {
  await expect(collect(file("long", "x".repeat(600_000)), { maxLine: 1000 })).rejects.toThrow(
    "line 1 is longer than 1000",
  );
});

test("a truncated gzip file is an error that says how far it could be read", async () => {
  const packed = gzipSync(`${Array.from({ length: 50_000 }, (_, i) => `line ${i * 7919}`).join("\n")}\n`);
  await expect(collect(file("cut.gz", packed.subarray(0, packed.length / 2)))).rejects.toThrow(
    /cannot be read after line \d+/,
  );
});

test("a file that is not there, or is a folder, is named", async () => {
  await expect(fileFacts(join(dir, "absent"))).rejects.toThrow("absent: no such file");
  await expect(fileFacts(dir)).rejects.toThrow("is no file");
  await expect(collect(join(dir, "absent"))).rejects.toThrow("no such file");
});
