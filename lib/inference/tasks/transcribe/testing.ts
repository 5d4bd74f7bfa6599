import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import type { ModelCard } from "../../models/card.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));

const recording = z.object({ seconds: z.number(), pitches: z.array(z.number()) });
const segment = z.object({ start: z.number(), end: z.number(), text: z.string() });
const fixture = z.object({
  recording,
  features: z.array(z.object({ bins: z.int(), every: z.int(), values: z.array(z.number()) })),
  cases: z.array(
    recording.extend({
      asked: z.string().nullable(),
      language: z.string(),
      windows: z.int(),
      segments: z.array(segment),
    }),
  ),
  config: z.looseObject({}),
  generation_config: z.looseObject({ eos_token_id: z.int(), no_timestamps_token_id: z.int() }),
  tokenizer: z.looseObject({}),
});

/** What the reference made: of sound, features; of recordings, what is heard in them. */
export const SPEECH: z.infer<typeof fixture> = fixture.parse(
  JSON.parse(readFileSync(join(FIXTURES, "speech.json"), "utf8")),
);

/** The sound of a recording of the reference: tones one after the other, four a second, as 16 bits keep them. */
export function soundOf({ seconds, pitches }: z.infer<typeof recording>): Float32Array {
  return Float32Array.from({ length: Math.floor(seconds * 16_000) }, (_, i) => {
    const pitch = pitches[Math.min(Math.floor((i / 16_000) * 4), pitches.length - 1)] ?? 0;
    return Math.round(0.45 * Math.sin(2 * Math.PI * pitch * (i / 16_000)) * 32_767) / 32_768;
  });
}

/** A models folder with the tiny speech model, named `tiny`; `files` replace or add some. */
export function speechFolder(
  changes: Partial<ModelCard> = {},
  files: Record<string, string> = {},
): { root: string; dir: string; card: ModelCard; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "isnad-speech-"));
  const dir = join(root, "tiny");
  mkdirSync(dir);
  for (const part of ["encoder", "decoder"]) cpSync(join(FIXTURES, `speech-${part}.onnx`), join(dir, `${part}.onnx`));
  const texts = {
    "tokenizer.json": JSON.stringify(SPEECH.tokenizer),
    "config.json": JSON.stringify(SPEECH.config),
    "generation_config.json": JSON.stringify(SPEECH.generation_config),
    ...files,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(dir, name), text);
  const sums = ["encoder.onnx", "decoder.onnx", ...Object.keys(texts)].map((file) => {
    const bytes = readFileSync(join(dir, file));
    return [file, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }];
  });
  const card: ModelCard = {
    name: "tiny",
    revision: "1",
    task: "transcribe",
    architecture: "encoder-decoder",
    languages: ["ar", "en"],
    description: "One layer of random weights.",
    licence: "MIT",
    files: Object.fromEntries(sums),
    ...changes,
  };
  writeFileSync(join(dir, "model.json"), JSON.stringify(card));
  return { root, dir, card, remove: () => rmSync(root, { recursive: true, force: true }) };
}
