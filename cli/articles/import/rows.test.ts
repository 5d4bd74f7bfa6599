import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readBatches } from "./batches.ts";
import { readMapping } from "./mapping.ts";
import { readRows } from "./rows.ts";

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
  for await (const batch of readBatches(path, { mapping: readMapping([], []), limits, derive: true, fromLine: 1001 })) {
    items.push(...batch.entries);
  }
  expect(items).toHaveLength(2001);
  expect(items[0]).toMatchObject({ line: 1001, externalId: "999" });
  expect(JSON.parse(items[0]?.json ?? "")).toMatchObject({ title: "عنوان 999", authors: ["ليلى حداد", "سامر نصار"] });
});
