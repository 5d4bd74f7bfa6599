import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ModelCard } from "../../cards/registry.ts";
import { encoderDecoderFolder, FIXTURES, type TinyFolder } from "../../runtime/decoding/testing.ts";

const fixture = z.object({
  cases: z.array(z.object({ text: z.string(), beams: z.int(), translation: z.string() })),
  tokenizer: z.looseObject({}),
  generation_config: z.looseObject({}),
});

const { cases, tokenizer, generation_config } = fixture.parse(
  JSON.parse(readFileSync(join(FIXTURES, "translation.json"), "utf8")),
);

/** Texts with what the reference makes of them. */
export const TRANSLATED: z.infer<typeof fixture>["cases"] = cases;

/** A models folder with the tiny translation model, named `tiny`; `files` replace or add some. */
export function translationFolder(changes?: Partial<ModelCard>, files?: Record<string, string>): TinyFolder {
  const json = {
    "tokenizer.json": tokenizer,
    "config.json": { d_model: 8, decoder_attention_heads: 2 },
    "generation_config.json": generation_config,
  };
  const translates = { from: "en", to: "ar" };
  return encoderDecoderFolder({ task: "translate", translates, graphs: "translation", json }, changes, files);
}
