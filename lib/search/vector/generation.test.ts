import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelDir, readGeneration, requestVectorRebuild, vectorRebuildPending } from "./generation.ts";

describe("generations", () => {
  let dir: string;
  beforeEach(async () => {
    dir = join(await mkdtemp(join(tmpdir(), "isnad-generation-")), "vectors");
  });
  afterEach(() => rm(join(dir, ".."), { recursive: true }));

  test("there is none and nothing pending until a rebuild is asked for", async () => {
    expect(await readGeneration(dir)).toBe("");
    expect(await vectorRebuildPending(dir, "m@1")).toBe(false);
  });

  test("each request makes another one, and leaves no other file", async () => {
    await requestVectorRebuild(dir);
    const first = await readGeneration(dir);
    await Promise.all([requestVectorRebuild(dir), requestVectorRebuild(dir)]);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(await readGeneration(dir)).not.toBe(first);
    expect(await readdir(dir)).toEqual(["generation"]);
    expect(await vectorRebuildPending(dir, "m@1")).toBe(true);
  });

  test("a model's folder is one folder, whatever its id", () => {
    expect(modelDir("/v", "hub/model@../x")).toBe("/v/hub%2Fmodel%40..%2Fx");
  });
});
