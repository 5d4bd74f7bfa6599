import { afterAll, describe, expect, test } from "bun:test";
import { soundOf, SPEECH, speechFolder } from "./testing.ts";
import { loadWhisperModel } from "./whisper-model.ts";

const folder = speechFolder();
const model = await loadWhisperModel(folder.dir, folder.card, 1);
afterAll(async () => {
  await model.release();
  folder.remove();
});

async function* stretches(sound: Float32Array, length: number): AsyncGenerator<Float32Array> {
  for (let at = 0; at < sound.length; at += length) yield sound.subarray(at, at + length);
}

describe("hears what the reference does, which keeps no cache", () => {
  test.each(SPEECH.cases)("in $seconds s, $windows windows, asked for $asked", async (each) => {
    const sound = stretches(soundOf(each), 5_000);
    const heard = await model.transcribe(sound, { language: each.asked ?? undefined, temperatures: [0] });
    expect(heard).toEqual({
      text: each.segments
        .map(({ text }) => text)
        .join("")
        .trim(),
      language: each.language,
      durationS: each.seconds,
      segments: each.segments.map(({ text, ...times }) => ({ ...times, text: text.trim() })),
    });
  });

  test("among them recordings of several languages, of one window and of several, with and without segments", () => {
    expect(new Set(SPEECH.cases.map(({ language }) => language)).size).toBeGreaterThan(1);
    expect(SPEECH.cases.some(({ windows }) => windows > 3)).toBe(true);
    expect(SPEECH.cases.some(({ segments }) => segments.length > 2)).toBe(true);
  });
});

test("a recording without a sample holds nothing", async () => {
  expect(await model.transcribe(stretches(new Float32Array(), 1))).toMatchObject({ text: "", durationS: 0 });
});

test("a language that the model does not know is heard instead", async () => {
  const [first] = SPEECH.cases;
  if (first === undefined) throw new Error("there are cases");
  const sound = stretches(soundOf(first), 5_000);
  expect(await model.transcribe(sound, { language: "xx", temperatures: [0] })).toMatchObject({
    language: first.language,
  });
});

test("a call that is given up ends before its next step", async () => {
  const gone = new AbortController();
  gone.abort(new Error("gone"));
  const call = model.transcribe(stretches(new Float32Array(16_000), 5_000), { signal: gone.signal });
  await expect(call).rejects.toThrow("gone");
});

describe("a model that cannot be run is refused with its name", () => {
  test.each([
    ["a configuration of another shape", {}, { "config.json": '{"d_model":8}' }],
    ["bins that the graph has not", {}, { "config.json": JSON.stringify({ ...SPEECH.config, num_mel_bins: 128 }) }],
    ["a tokenizer of another kind", {}, { "tokenizer.json": '{"model":{"vocab":[]}}' }],
    ["another task", { task: "translate" as const }, {}],
  ])("%s", async (_, changes, files) => {
    const broken = speechFolder(changes, files);
    const loading = loadWhisperModel(broken.dir, broken.card, 1);
    await expect(loading).rejects.toMatchObject({ code: "model-invalid", message: expect.stringContaining("tiny") });
    broken.remove();
  });
});
