import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ModelCard } from "../../cards/registry.ts";
import { encoderDecoderFolder, FIXTURES, type TinyFolder } from "../../runtime/decoding/testing.ts";

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
export function speechFolder(changes?: Partial<ModelCard>, files?: Record<string, string>): TinyFolder {
  const { tokenizer, config, generation_config } = SPEECH;
  const json = { "tokenizer.json": tokenizer, "config.json": config, "generation_config.json": generation_config };
  return encoderDecoderFolder({ task: "transcribe", graphs: "speech", json }, changes, files);
}
