import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import type { ModelCard } from "../../cards/registry.ts";
import { filesOfCard } from "../../cards/testing.ts";

/** Where the tiny models and what the reference makes of them are. */
export const FIXTURES: string = fileURLToPath(new URL("../../fixtures/", import.meta.url));

/** A models folder with one model, named `tiny`. */
export type TinyFolder = { root: string; dir: string; card: ModelCard; remove(): void };

/**
 * A models folder with the tiny encoder and decoder of the fixture `graphs`, the JSON files of the given contents, and
 * a card that fits them, but for `changes`; `files` replace or add some.
 */
export function encoderDecoderFolder(
  { graphs, json, ...card }: Pick<ModelCard, "task" | "translates"> & { graphs: string; json: Record<string, unknown> },
  changes: Partial<ModelCard> = {},
  files: Record<string, string> = {},
): TinyFolder {
  const root = mkdtempSync(join(tmpdir(), "isnad-tiny-"));
  const dir = join(root, "tiny");
  mkdirSync(dir);
  const parts = ["encoder.onnx", "decoder.onnx"];
  for (const part of parts) cpSync(join(FIXTURES, `${graphs}-${part}`), join(dir, part));
  const texts = {
    ...Object.fromEntries(Object.entries(json).map(([name, content]) => [name, JSON.stringify(content)])),
    ...files,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(dir, name), text);
  const whole: ModelCard = {
    name: "tiny",
    revision: "1",
    architecture: "encoder-decoder",
    languages: ["ar", "en"],
    description: "One layer of random weights.",
    licence: "MIT",
    files: filesOfCard(dir, [...parts, ...Object.keys(texts)]),
    ...card,
    ...changes,
  };
  writeFileSync(join(dir, "model.json"), JSON.stringify(whole));
  return { root, dir, card: whole, remove: () => rmSync(root, { recursive: true, force: true }) };
}
