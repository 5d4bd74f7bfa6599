import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import type { ModelCard } from "../../cards/registry.ts";
import { filesOfCard } from "../../cards/testing.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));
/** A text as a piece and how often it is repeated. */
const text = z.tuple([z.string(), z.number()]).transform(([piece, times]) => piece.repeat(times));
const scores = z.object({ wordpiece: z.number(), unigram: z.number() });
const reference = z.object({
  longest: z.number(),
  cases: z.array(z.object({ query: text, passage: text, scores, tokens: scores })),
});

/**
 * Pairs with the scores and the numbers of tokens that the reference gives, by model; `longest` is what the models
 * read.
 */
export const CROSS_ENCODED: z.infer<typeof reference> = reference.parse(readFixture("cross-encoder.json"));

function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, name), "utf8"));
}

/** The content of a fixture's `tokenizer.json`. */
export function tokenizerOf(name: "wordpiece" | "unigram"): string {
  return JSON.stringify(z.object({ tokenizer: z.looseObject({}) }).parse(readFixture(`${name}.json`)).tokenizer);
}

/** A cross-encoder of the fixtures; `wordpiece` and `unigram` can be run. */
export type TinyCrossEncoder = "wordpiece" | "unigram" | "unknown-input" | "three-labels" | "two-outputs";

/** A models folder with one tiny cross-encoder, named `tiny`, and the card that fits it. */
export function crossEncoderFolder(
  graph: TinyCrossEncoder,
  changes: Partial<ModelCard> = {},
): { root: string; dir: string; card: ModelCard; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "isnad-cross-encoder-"));
  const dir = join(root, "tiny");
  mkdirSync(dir);
  cpSync(join(FIXTURES, `cross-encoder-${graph}.onnx`), join(dir, "model.onnx"));
  writeFileSync(join(dir, "tokenizer.json"), tokenizerOf(graph === "unigram" ? "unigram" : "wordpiece"));
  const files = filesOfCard(dir, ["model.onnx", "tokenizer.json"]);
  const card: ModelCard = {
    name: "tiny",
    revision: "1",
    task: "rerank",
    languages: ["ar", "en"],
    description: "A single attention over token vectors.",
    licence: "MIT",
    architecture: "cross-encoder",
    max_tokens: CROSS_ENCODED.longest,
    files,
    ...changes,
  };
  writeFileSync(join(dir, "model.json"), JSON.stringify(card));
  return { root, dir, card, remove: () => rmSync(root, { recursive: true, force: true }) };
}
