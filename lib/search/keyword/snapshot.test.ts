import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryExclusive } from "../../service/process/files.ts";
import { until } from "../../std/testing-until.ts";
import { randomNumbers } from "./testing/random.ts";
import { search } from "./search.ts";
import { loadSnapshot, type MemoryIndex, saveSnapshot } from "./snapshot.ts";
import { TextIndex } from "./testing/memory.ts";

const root = mkdtempSync(join(tmpdir(), "isnad-keyword-snapshot-"));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const folder = () => join(root, String(++folders));

const WORDS = "harbour boats fish town ميناء زلزال مدينة كتاب البركان 2024".split(" ");
const random = randomNumbers(77);
const text = (count: number) => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(" ");

/** Makes an index of several segments, in which documents were replaced and taken out. */
function filled(): MemoryIndex {
  const index = new TextIndex();
  for (let batch = 0; batch < 3; batch++) {
    index.add(
      Array.from({ length: 20 + 150 * batch }, () => ({
        ...{ id: 1 + random(300), title: text(4), content: text(20), lang: random(2) === 0 ? "ar" : "en" },
        ...{ sourceId: `s${random(3)}`, authors: [`Author ${random(9)}`], publishedAt: "2024-03-01T00:00:00Z" },
      })),
    );
  }
  for (let i = 0; i < 30; i++) index.remove(1 + random(300));
  index.projection.tiers = new Map([
    ["s1", 1],
    ["s2", 3],
  ]);
  const { words, projection } = index;
  return { words, projection, position: { seq: 41, mark: "m-41" }, complete: true };
}

/** Returns what can be told of an index: its documents, counts and answers. */
function told({ words, projection, position, complete }: MemoryIndex) {
  const queries = [...WORDS, "harbours", "earthquake", '"boats fish"', "harbour -fish"];
  const answers = queries.map((text) => {
    const { articleIds, scores } = search(projection, words, { text, limit: 50, filters: { lang: "ar" } });
    return [...articleIds].map((id, i) => [id, scores[i]]);
  });
  const { count, length, changes, tiers, segments } = projection;
  return {
    ...{ position, complete, count, length, changes, tiers: [...tiers], answers },
    rows: segments.map(({ forward, size, latin, inArabic, live }) => ({
      ...{ size, latin, inArabic, live: [...live] },
      rows: Array.from({ length: forward.count }, (_, doc) => forward.row(doc)),
    })),
    near: words.near("harbuor", 1),
    spellings: words.spellings("harbour", "arabic", 1_000),
  };
}

test("an index that is read is the one that was written, and goes on as it would have", async () => {
  const dir = folder();
  const index = filled();
  expect(index.projection.segments.length).toBeGreaterThan(1);
  expect(await saveSnapshot(dir, index)).toBe(true);
  const { index: read, dropped } = await loadSnapshot(dir);
  expect(dropped).toBeUndefined();
  if (read === undefined) throw new Error("no index was read");
  const before = told(index);
  expect(told(read)).toEqual(before);
  expect(before.answers.some((hits) => hits.length > 3)).toBe(true);
  for (const { projection } of [index, read]) {
    for (let id = 1; id < 100; id++) projection.remove(id, 10_000);
    while (!projection.merge(50));
  }
  expect(told(read)).toEqual(told(index));
});

test("an empty index is read as one", async () => {
  const dir = folder();
  const { words, projection } = new TextIndex();
  await saveSnapshot(dir, { words, projection, position: { seq: 0, mark: "" }, complete: true });
  const { index } = await loadSnapshot(dir);
  expect(index?.projection.count).toBe(0);
  expect(index?.position).toEqual({ seq: 0, mark: "" });
});

test("what is written later takes the place of what was there, and changes meanwhile are not in it", async () => {
  const dir = folder();
  const index = filled();
  await saveSnapshot(dir, index);
  const { count } = index.projection;
  const saving = saveSnapshot(dir, { ...index, position: { seq: 42, mark: "m-42" } });
  // Everything is taken at one moment, before the first file is written.
  await until(() => readdirSync(dir).some((name) => name.includes("-42-")));
  for (let id = 1; id <= 300; id++) index.projection.remove(id, 10_000);
  expect(await saving).toBe(true);
  const { index: read } = await loadSnapshot(dir);
  expect([read?.position.seq, read?.projection.count, index.projection.count]).toEqual([42, count, 0]);
  expect(readdirSync(dir).filter((name) => name.endsWith(".bin"))).toHaveLength(1);
});

test("one that another process is writing is left alone, and one that is not there is nothing", async () => {
  const dir = folder();
  await saveSnapshot(dir, filled());
  const names = readdirSync(dir).toSorted();
  const lock = tryExclusive(join(dir, "lock"));
  expect(await saveSnapshot(dir, filled())).toBe(false);
  expect(readdirSync(dir).toSorted()).toEqual(names);
  lock?.release();
  expect(await loadSnapshot(folder())).toEqual({});
});

describe("a snapshot is refused, removed, and read as nothing from then on", () => {
  const written = (async () => {
    const dir = folder();
    await saveSnapshot(dir, filled());
    return dir;
  })();
  const fileOf = (dir: string) => join(dir, readdirSync(dir).find((name) => name.endsWith(".bin")) ?? "");
  const changeBytes = (change: (bytes: Uint8Array) => Uint8Array) => (dir: string) =>
    writeFileSync(fileOf(dir), change(new Uint8Array(readFileSync(fileOf(dir)))));
  const changeManifest = (change: (manifest: Record<string, unknown>) => object) => (dir: string) => {
    const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"));
    writeFileSync(join(dir, "manifest.json"), JSON.stringify({ ...manifest, ...change(manifest) }));
  };
  const flipped = (place: (length: number) => number) =>
    changeBytes((bytes) => bytes.map((byte, i) => (i === place(bytes.length) ? byte ^ 1 : byte)));

  test.each<[string, (dir: string) => void, RegExp]>([
    ["with its first byte flipped", flipped(() => 0), /is not what was written/],
    ["with its last byte flipped", flipped((length) => length - 1), /is not what was written/],
    ["with a byte in its midst flipped", flipped((length) => length >> 1), /is not what was written/],
    ["cut by a byte", changeBytes((bytes) => bytes.subarray(0, -1)), /is not what was written/],
    ["with a byte more", changeBytes((bytes) => Uint8Array.of(...bytes, 0)), /is not what was written/],
    ["that is empty", changeBytes(() => new Uint8Array(0)), /is not what was written/],
    ["whose file is gone", (dir) => rmSync(fileOf(dir)), /ENOENT/],
    ["of another version", changeManifest(() => ({ version: "1/x" })), /^it is of another version$/],
    ["whose manifest leads elsewhere", changeManifest(() => ({ file: { name: "../x.bin" } })), /another version/],
    ["whose manifest is cut", (dir) => writeFileSync(join(dir, "manifest.json"), '{"version":'), /JSON/],
    ["whose sections are not there", changeManifest(() => ({ sections: [] })), /has no column/],
    [
      "whose sections go beyond its end",
      changeManifest(({ sections }) => ({
        sections: Array.isArray(sections)
          ? sections.map((each, i) => (i === 0 ? { ...each, bytes: 2 ** 24 } : each))
          : [],
      })),
      /ends within/,
    ],
    [
      "whose sections are of another kind",
      changeManifest(({ sections }) => ({
        sections: Array.isArray(sections) ? sections.map((each, i) => (i === 0 ? { ...each, kind: "f64" } : each)) : [],
      })),
      /./,
    ],
  ])("%s", async (_, damage, reason) => {
    const dir = folder();
    cpSync(await written, dir, { recursive: true });
    damage(dir);
    const { index, dropped } = await loadSnapshot(dir);
    expect(index).toBeUndefined();
    expect(dropped).toMatch(reason);
    expect(await loadSnapshot(dir)).toEqual({});
    expect(readdirSync(dir).filter((name) => /\.(bin|json|tmp)$/.test(name))).toEqual([]);
  });
});
