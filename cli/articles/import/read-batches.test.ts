import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { requestBody } from "@isnad/lib/ingest/client";
import { readMapping } from "./map-row.ts";
import { type Batch, fileFacts, readBatches, readLines, readRows } from "./read-batches.ts";

describe("lines", () => {
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
});

describe("rows", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-rows-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  async function collect(name: string, content: string | Uint8Array) {
    const path = join(dir, name);
    writeFileSync(path, content);
    const out = [];
    for await (const { number, row, error } of readRows(path)) out.push([number, row ?? error?.detail]);
    return out;
  }

  test("a table's rows are named by its head, whatever parts its cells, plain and compressed", async () => {
    const rows = [
      [2, { id: "1", title: "عنوان، أول", text: 'said "no"\nand left' }],
      [4, { id: "2", title: "x", text: "" }],
    ];
    const table = (sign: string) =>
      `\ufeffid${sign} title ${sign}text\r\n1${sign}عنوان، أول${sign}"said ""no""\nand left"\r\n\r\n2${sign}x\r\n`;
    expect(await collect("a.csv", table(","))).toEqual(rows);
    expect(await collect("b.CSV", table(";"))).toEqual(rows);
    expect(await collect("c.tsv", table("\t"))).toEqual(rows);
    expect(await collect("d.csv.gz", gzipSync(table(",")))).toEqual(rows);
  });

  test("a row with more cells than the head is refused, and a head with a name twice ends the import", async () => {
    expect(await collect("e.csv", "id,title\n1,a,b\n2,c,\n")).toEqual([
      [2, "the row has 3 cells, the head 2"],
      [3, { id: "2", title: "c" }],
    ]);
    await expect(collect("f.csv", "id,id\n1,2\n")).rejects.toThrow("row 1: two columns are called id");
    await expect(collect("g.csv", 'id,title\n1,"a\n')).rejects.toThrow("row 2: a quotation mark is never closed");
    expect(await collect("h.csv", "")).toEqual([]);
  });

  test("a file of another name has JSON lines; a blank one is nothing", async () => {
    expect(await collect("i.jsonl", '{"id":"1"}\n\n[]\nid,title\n')).toEqual([
      [1, { id: "1" }],
      [2, undefined],
      [3, "the line is no JSON object"],
      [4, "the line is no JSON"],
    ]);
  });

  test("a table of many rows becomes items of the ingest route, from a row on", async () => {
    const path = join(dir, "many.csv");
    const text = "نص الخبر كما نشرته الصحيفة في عددها الصادر صباح اليوم. ".repeat(5);
    const row = (i: number) => `${i},almarsa,"عنوان ${i}","${text}",ليلى حداد; سامر نصار,2026-11-28`;
    writeFileSync(
      path,
      ["id,source,title,text,authors,date", ...Array.from({ length: 3000 }, (_, i) => row(i))].join("\n"),
    );
    const items = [];
    const limits = { maxItems: 100, maxBytes: 1_000_000 };
    for await (const batch of readBatches(path, {
      mapping: readMapping([], []),
      limits,
      derive: true,
      fromLine: 1001,
    })) {
      items.push(...batch.entries);
    }
    expect(items).toHaveLength(2001);
    expect(items[0]).toMatchObject({ line: 1001, externalId: "999" });
    expect(JSON.parse(items[0]?.json ?? "")).toMatchObject({ title: "عنوان 999", authors: ["ليلى حداد", "سامر نصار"] });
  });
});

describe("batches", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-batches-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const mapping = readMapping([], []);

  function row(id: number, content = "some text"): string {
    return JSON.stringify({ id: `a${id}`, source: "s", title: "t", text: content });
  }

  async function batches(
    lines: string[],
    limits: { maxItems: number; maxBytes: number },
    fromLine = 1,
  ): Promise<Batch[]> {
    const path = join(dir, `${Math.random()}.jsonl`);
    writeFileSync(path, lines.join("\n"));
    return Array.fromAsync(readBatches(path, { mapping, limits, derive: true, fromLine }));
  }

  test("a batch ends at the number of items", async () => {
    const made = await batches(
      [1, 2, 3, 4, 5].map((id) => row(id)),
      { maxItems: 2, maxBytes: 10_000 },
    );
    expect(made.map((b) => [b.sequence, b.firstLine, b.lastLine, b.entries.length])).toEqual([
      [0, 1, 2, 2],
      [1, 3, 4, 2],
      [2, 5, 5, 1],
    ]);
  });

  test("no body exceeds the byte limit, and one that fits exactly is not split", async () => {
    const lines = [1, 2, 3, 4, 5, 6].map((id) => row(id, "نص عربي ".repeat(id * 10)));
    const [whole] = await batches(lines, { maxItems: 100, maxBytes: 100_000 });
    const exact = Buffer.byteLength(requestBody(whole?.entries ?? []));
    expect((await batches(lines, { maxItems: 100, maxBytes: exact + 1 })).length).toBe(1);
    for (let limit = 2000; limit < exact; limit += 97) {
      const made = await batches(lines, { maxItems: 100, maxBytes: limit });
      expect(made.flatMap((b) => b.entries.map((e) => e.externalId))).toEqual(["a1", "a2", "a3", "a4", "a5", "a6"]);
      for (const batch of made) expect(Buffer.byteLength(requestBody(batch.entries))).toBeLessThanOrEqual(limit);
    }
  });

  test("the body is the items as JSON", async () => {
    const [batch] = await batches([row(1), row(2)], { maxItems: 9, maxBytes: 10_000 });
    const body: unknown = JSON.parse(requestBody(batch?.entries ?? []));
    expect(body).toMatchObject({ articles: [{ external_id: "a1" }, { external_id: "a2", content: "some text" }] });
  });

  test("lines that are no JSON object are rejected with their number, blank lines are passed over", async () => {
    const [batch] = await batches(["{", "", row(3), "[1]", "null"], { maxItems: 9, maxBytes: 10_000 });
    expect(batch?.entries.map((e) => e.line)).toEqual([3]);
    expect(batch?.rejected.map((r) => [r.line, r.error.type])).toEqual([
      [1, "/errors/malformed-json"],
      [4, "/errors/invalid-field"],
      [5, "/errors/invalid-field"],
    ]);
    expect(batch?.lastLine).toBe(5);
  });

  test("an item over the limit by itself is sent with its content cut, still whole characters", async () => {
    const [batch] = await batches([row(1, "🜂\n".repeat(20_000))], { maxItems: 9, maxBytes: 50_000 });
    expect(batch?.derived.cut).toBe(1);
    const body = requestBody(batch?.entries ?? []);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(50_000);
    expect(Buffer.byteLength(body)).toBeGreaterThan(40_000);
    expect(body.isWellFormed()).toBe(true);
  });

  test("an item that is too large without its content is rejected", async () => {
    const line = JSON.stringify({ id: "a1", source: "s", title: "t".repeat(9000), text: "x" });
    const [batch] = await batches([line], { maxItems: 9, maxBytes: 5000 });
    expect(batch?.rejected[0]?.error.type).toBe("/errors/payload-too-large");
  });

  test("reading can begin at a later line, with the lines' own numbers", async () => {
    const made = await batches(
      [1, 2, 3, 4].map((id) => row(id)),
      { maxItems: 9, maxBytes: 10_000 },
      3,
    );
    expect(made.map((b) => [b.firstLine, b.lastLine, b.entries.map((e) => e.externalId)])).toEqual([
      [3, 4, ["a3", "a4"]],
    ]);
    expect(await batches([row(1)], { maxItems: 9, maxBytes: 10_000 }, 2)).toEqual([]);
  });
});
