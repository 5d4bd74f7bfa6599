import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestBody } from "@isnad/lib/ingest/client";
import { type Batch, readBatches } from "./batches.ts";
import { readMapping } from "./mapping.ts";

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
