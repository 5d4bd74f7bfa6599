import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelCard } from "./card.ts";
import { flipBit, modelFolder } from "../testing.ts";
import { readVerified, verifyFile } from "./verified-file.ts";

const bytes = new Uint8Array(100_000).map((_, i) => i % 251);
const card: ModelCard = {
  name: "tiny",
  revision: "1",
  task: "embed",
  languages: ["ar"],
  description: "",
  licence: "Apache-2.0",
  files: { "model.onnx": { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length } },
};
let folder = modelFolder("tiny", card);
const path = (): string => join(folder.dir, "model.onnx");

beforeEach(() => {
  folder = modelFolder("tiny", card);
  writeFileSync(path(), bytes);
});
afterEach(() => folder.remove());

test("a whole file is read", async () => {
  expect(new Uint8Array(await readVerified(folder.dir, card, "model.onnx"))).toEqual(bytes);
  await verifyFile(folder.dir, card, "model.onnx");
});

for (const [name, check] of Object.entries({ readVerified, verifyFile })) {
  test(`${name}() names a missing file`, async () => {
    rmSync(path());
    await expect(check(folder.dir, card, "model.onnx")).rejects.toMatchObject({
      code: "model-missing",
      model: "tiny",
      message: expect.stringContaining("model.onnx"),
    });
  });

  test(`${name}() names a truncated file with its length`, async () => {
    truncateSync(path(), 5000);
    await expect(check(folder.dir, card, "model.onnx")).rejects.toMatchObject({
      code: "model-altered",
      message: expect.stringContaining("5000 bytes, not 100000"),
    });
  });

  test(`${name}() finds one changed bit`, async () => {
    flipBit(path());
    await expect(check(folder.dir, card, "model.onnx")).rejects.toMatchObject({ code: "model-altered" });
  });

  test(`${name}() refuses a file that the card does not name`, async () => {
    await expect(check(folder.dir, card, "other.bin")).rejects.toMatchObject({ code: "model-invalid" });
  });
}
