import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Manifest, readManifest, SNAPSHOT_VERSION } from "./manifest.ts";

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
