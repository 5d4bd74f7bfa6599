import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryExclusive } from "../../service/process/files.ts";
import { VectorEngine } from "./engine.ts";
import { loadSnapshot, type Manifest, readManifest, saveSnapshot, SNAPSHOT_VERSION } from "./snapshot.ts";
import { clusteredVectors, randomVector, upsert } from "./testing.ts";
import { seeded } from "../../std/random.ts";

const DIMS = 24;
/** However few rows there are, they are linked. */
const SCANNED = 0;
const key = { modelId: "m@1", dims: DIMS };

function engineOf(count: number, { linked = true, seq = count } = {}): VectorEngine {
  const engine = new VectorEngine(DIMS, undefined, SCANNED);
  const vectors = clusteredVectors(count, DIMS, seeded(28));
  engine.apply(
    vectors.map((vector, i) => upsert(1 + (i >> 1), vector, { chunkNo: i % 2, start: i, end: i + 5, lang: "en" })),
    seq,
  );
  while (linked && engine.link(1000));
  return engine;
}

describe("snapshots", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "isnad-snapshot-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function reload(wanted = key): Promise<VectorEngine | string> {
    const loaded = await loadSnapshot(dir, wanted, SCANNED);
    return loaded.engine ?? loaded.dropped ?? "none";
  }

  test("an engine comes back as it was, and goes on from there", async () => {
    const engine = engineOf(600);
    engine.apply([{ kind: "delete", articleId: 3 }], 601);
    engine.calibration.restore(1024, 0.997, 600);
    expect(await saveSnapshot(dir, engine, key)).toBe(true);
    const copy = await reload();
    if (typeof copy === "string") throw new Error(copy);
    expect(copy.seq).toBe(601);
    expect([copy.rows.size, copy.graph.size, copy.articles.size]).toEqual([598, 598, 299]);
    expect([copy.calibration.depth, copy.calibration.recall]).toEqual([1024, 0.997]);
    const random = seeded(29);
    for (let i = 0; i < 20; i++) {
      const query = randomVector(DIMS, random);
      for (const filters of [{}, { lang: "en" }]) {
        expect(copy.search(query, 10, filters)).toEqual(engine.search(query, 10, filters));
      }
    }
    copy.apply([upsert(9000, randomVector(DIMS, random))], 602);
    while (copy.link(1000));
    expect(copy.graph.size).toBe(599);
  });

  test("what was not linked yet is linked after loading", async () => {
    await saveSnapshot(dir, engineOf(50, { linked: false }), key);
    const copy = await reload();
    if (typeof copy === "string") throw new Error(copy);
    expect(copy.waiting).toBe(50);
    while (copy.link(1000));
    expect(copy.graph.size).toBe(50);
  });

  test("an empty engine has a snapshot too", async () => {
    expect(await saveSnapshot(dir, new VectorEngine(DIMS), key)).toBe(true);
    expect(await reload()).toBeInstanceOf(VectorEngine);
  });

  test("there is none in an empty folder", async () => {
    expect(await reload()).toBe("none");
  });

  test.each(["tables", "graph"] as const)("one whose %s are truncated is dropped", async (part) => {
    await saveSnapshot(dir, engineOf(100), key);
    const { name, bytes } = (await readManifest(dir))?.[part] ?? { name: "", bytes: 0 };
    await truncate(join(dir, name), bytes - 1);
    expect(await reload()).toContain("is not what was written");
    expect(await readdir(dir)).toEqual(["lock"]);
    expect(await reload()).toBe("none");
  });

  test.each(["tables", "graph"] as const)("one with a flipped bit in its %s is dropped", async (part) => {
    await saveSnapshot(dir, engineOf(100), key);
    const { name, bytes } = (await readManifest(dir))?.[part] ?? { name: "", bytes: 0 };
    const file = await open(join(dir, name), "r+");
    const at = Math.floor(bytes / 2);
    const byte = new Uint8Array(1);
    await file.read(byte, 0, 1, at);
    await file.write(Uint8Array.of((byte[0] ?? 0) ^ 4), 0, 1, at);
    await file.close();
    expect(await reload()).toContain("is not what was written");
  });

  test.each([{ dims: 32 }, { modelId: "m@2" }])("one of another key is dropped: %p", async (other) => {
    await saveSnapshot(dir, engineOf(20), key);
    expect(await reload({ ...key, ...other })).toContain(Object.keys(other)[0] ?? "");
    expect(await reload()).toBe("none");
  });

  test("one whose manifest is no manifest is dropped", async () => {
    await saveSnapshot(dir, engineOf(20), key);
    await writeFile(join(dir, "manifest.json"), "{");
    expect(typeof (await reload())).toBe("string");
    expect(await reload()).toBe("none");
  });

  test("what a crash left before the manifest was replaced changes nothing", async () => {
    await saveSnapshot(dir, engineOf(20), key);
    for (const name of ["tables-99-aa.bin.tmp", "graph-99-aa.usearch", "manifest.json.tmp"]) {
      await writeFile(join(dir, name), "half");
    }
    expect(await reload()).toBeInstanceOf(VectorEngine);
    await saveSnapshot(dir, engineOf(40), key);
    const { tables, graph } = (await readManifest(dir)) ?? {};
    expect((await readdir(dir)).toSorted()).toEqual(
      ["lock", "manifest.json", tables?.name ?? "", graph?.name ?? ""].toSorted(),
    );
  });

  test("only one process writes at a time", async () => {
    const lock = tryExclusive(join(dir, "lock"));
    expect(await saveSnapshot(dir, engineOf(20), key)).toBe(false);
    lock?.release();
    expect(await saveSnapshot(dir, engineOf(20), key)).toBe(true);
  });

  test("one of a higher number is replaced: that may be of a history that is gone", async () => {
    await saveSnapshot(dir, engineOf(20, { seq: 500 }), key);
    expect(await saveSnapshot(dir, engineOf(30, { seq: 400 }), key)).toBe(true);
    expect((await readManifest(dir))?.seq).toBe(400);
    const other = engineOf(30, { seq: 400 });
    other.mark = "of another history";
    expect(await saveSnapshot(dir, other, key)).toBe(true);
    expect(await readManifest(dir)).toMatchObject({ seq: 400, mark: "of another history" });
  });

  test("one that has more linked at the same place replaces the one before", async () => {
    await saveSnapshot(dir, engineOf(20, { linked: false }), key);
    expect(await saveSnapshot(dir, engineOf(20), key)).toBe(true);
    expect(await saveSnapshot(dir, engineOf(20), key)).toBe(false);
  });

  test("a folder that cannot be written fails and leaves the one before", async () => {
    await saveSnapshot(dir, engineOf(20), key);
    const before = await readFile(join(dir, "manifest.json"), "utf8");
    const engine = engineOf(30);
    engine.graph.save = () => {
      throw new Error("no space left on device");
    };
    const failed = await saveSnapshot(dir, engine, key).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(await readFile(join(dir, "manifest.json"), "utf8")).toBe(before);
    expect(await reload()).toBeInstanceOf(VectorEngine);
  });
});

const file = { name: "tables-5-ab12.bin", bytes: 10, sha256: "aa" };
const whole: Manifest = {
  version: SNAPSHOT_VERSION,
  modelId: "m@1",
  dims: 4,
  seq: 5,
  mark: "",
  rows: 2,
  linked: 1,
  depth: null,
  recall: null,
  tables: { ...file, sections: [{ name: "article.ids", bytes: 8 }] },
  graph: { ...file, name: "graph-5-ab12.usearch" },
};

describe("readManifest()", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "isnad-manifest-"));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const read = async (content: string) => {
    await writeFile(join(dir, "manifest.json"), content);
    return await readManifest(dir).catch((error: unknown) => error);
  };

  test("reads what was written, and nothing where there is nothing", async () => {
    expect(await readManifest(join(dir, "none"))).toBeUndefined();
    expect(await read(JSON.stringify(whole))).toEqual(whole);
  });

  test.each<[string, object]>([
    ["another version", { version: SNAPSHOT_VERSION + 1 }],
    ["no dims", { dims: undefined }],
    ["a seq that is no integer", { seq: "5" }],
    ["a name that leads out of the folder", { graph: { ...file, name: "../../etc/passwd" } }],
    ["sections that are none", { tables: { ...file, sections: [1] } }],
    ["no files", { tables: null }],
  ])("throws for one with %s", async (_name, fields) => {
    expect(await read(JSON.stringify({ ...whole, ...fields }))).toBeInstanceOf(TypeError);
  });

  test("throws for what is cut off or no object", async () => {
    expect(await read(JSON.stringify(whole).slice(0, 50))).toBeInstanceOf(SyntaxError);
    expect(await read("null")).toBeInstanceOf(TypeError);
  });
});
