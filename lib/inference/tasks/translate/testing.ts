import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import type { ModelCard } from "../../models/card.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));

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
export function translationFolder(
  changes: Partial<ModelCard> = {},
  files: Record<string, string> = {},
): { root: string; dir: string; card: ModelCard; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "isnad-translation-"));
  const dir = join(root, "tiny");
  mkdirSync(dir);
  for (const part of ["encoder", "decoder"]) {
    cpSync(join(FIXTURES, `translation-${part}.onnx`), join(dir, `${part}.onnx`));
  }
  const texts = {
    "tokenizer.json": JSON.stringify(tokenizer),
    "config.json": JSON.stringify({ d_model: 8, decoder_attention_heads: 2 }),
    "generation_config.json": JSON.stringify(generation_config),
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
    task: "translate",
    architecture: "encoder-decoder",
    languages: ["ar", "en"],
    translates: { from: "en", to: "ar" },
    description: "One layer of random weights.",
    licence: "MIT",
    files: Object.fromEntries(sums),
    ...changes,
  };
  writeFileSync(join(dir, "model.json"), JSON.stringify(card));
  return { root, dir, card, remove: () => rmSync(root, { recursive: true, force: true }) };
}
