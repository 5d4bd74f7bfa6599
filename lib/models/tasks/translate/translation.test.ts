import { afterAll, describe, expect, test } from "bun:test";
import { translationFolder, TRANSLATED } from "./testing.ts";
import { loadTranslateModel } from "./machine-translator.ts";

const folder = translationFolder();
const model = await loadTranslateModel(folder.dir, folder.card, 1);
afterAll(async () => {
  await model.release();
  folder.remove();
});

test.each(TRANSLATED)(
  "translates $text with $beams beams as the reference does, which keeps no cache",
  async (each) => {
    expect(await model.translate(each.text, { beams: each.beams })).toBe(each.translation);
  },
);

test("a call that is given up ends before its next step", async () => {
  const gone = new AbortController();
  gone.abort(new Error("gone"));
  expect(model.translate("the old ship", { beams: 4, signal: gone.signal })).rejects.toThrow("gone");
});

describe("a model that cannot be run is refused with its name", () => {
  test.each([
    ["a configuration of another shape", {}, { "config.json": '{"d_model":8}' }],
    ["heads that the graph has not", {}, { "config.json": '{"d_model":8,"decoder_attention_heads":4}' }],
    ["another task", { task: "embed" as const }, {}],
  ])("%s", async (_, changes, files) => {
    const broken = translationFolder(changes, files);
    const loading = loadTranslateModel(broken.dir, broken.card, 1);
    expect(loading).rejects.toMatchObject({ code: "model-invalid", message: expect.stringContaining("tiny") });
    await loading.catch(() => {});
    broken.remove();
  });
});
