import { afterAll, expect, test } from "bun:test";
import { recording as mp3, wavFile } from "../../audio/testing.ts";
import { openRegistry } from "../../cards/registry.ts";
import { createMachineTranscriber } from "./machine-transcriber.ts";
import { soundOf, SPEECH, speechFolder } from "./testing.ts";

const folder = speechFolder();
const registry = openRegistry({ dirs: [folder.root] });
const transcriber = await createMachineTranscriber({ registry, threads: 1, maxSeconds: 100 });
afterAll(async () => {
  await transcriber.close();
  folder.remove();
});

const recording = wavFile(soundOf(SPEECH.recording), { rate: 16_000 });

test("recordings are heard in a thread of their own, several at a time", async () => {
  expect(transcriber.modelId).toBe("tiny@1");
  const [first, second] = await Promise.all([
    transcriber.transcribe(recording),
    transcriber.transcribe(recording, { language: "ar" }),
  ]);
  expect(first).toMatchObject({ durationS: SPEECH.recording.seconds });
  expect(second).toMatchObject({ language: "ar", durationS: SPEECH.recording.seconds });
});

test("bytes that are no recording are told from a model that fails", async () => {
  await expect(transcriber.transcribe(Buffer.from("hello"))).rejects.toMatchObject({
    name: "AudioError",
    code: "no-audio",
  });
});

test("a recording that is too long is given up", async () => {
  const long = wavFile(new Float32Array(120 * 1_000), { rate: 1_000 });
  await expect(transcriber.transcribe(long)).rejects.toMatchObject({ name: "AudioError", code: "too-long" });
});

test("a short recording does not wait for the end of a long one", async () => {
  const order: string[] = [];
  const long = transcriber
    .transcribe(wavFile(new Float32Array(20_000), { rate: 1_000 }))
    .then(() => order.push("long"));
  await Promise.all([long, transcriber.transcribe(recording).then(() => order.push("short"))]);
  expect(order).toEqual(["short", "long"]);
});

test("a caller that leaves is told so at once, and the next one is heard", async () => {
  const gone = new AbortController();
  const call = transcriber.transcribe(wavFile(new Float32Array(90_000), { rate: 1_000 }), { signal: gone.signal });
  gone.abort(new Error("gone"));
  await expect(call).rejects.toThrow("gone");
  expect(await transcriber.transcribe(recording)).toMatchObject({ durationS: SPEECH.recording.seconds });
});

test("a recording that its decoder never comes back from keeps no other waiting, nor the thread", async () => {
  const endless = mp3("tones.mp3").subarray(0, 1_252);
  endless[859] = 0xc0;
  const gone = new AbortController();
  const call = transcriber.transcribe(endless, { signal: gone.signal }).catch((error: unknown) => error);
  expect(await transcriber.transcribe(recording)).toMatchObject({ durationS: SPEECH.recording.seconds });
  transcriber.check();
  gone.abort(new Error("gone"));
  expect(await call).toEqual(new Error("gone"));
});
