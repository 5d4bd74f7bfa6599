import { z } from "zod";

/** Holds what a model can be asked to do; `pieces` are what other models share. */
export const TASKS = [
  "embed",
  "rerank",
  "classify",
  "tag",
  "translate",
  "transcribe",
  "morph",
  "relations",
  "dialect",
  "senses",
  "pieces",
] as const;
export type Task = (typeof TASKS)[number];

const file = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
  /** Of a graph: bits of its int8 weights that are used. */
  weight_bits: z.number().int().min(2).max(8).optional(),
});
const dataSet = z.object({ name: z.string(), licence: z.string(), used_for: z.string() });
/** Published weights that training started from, as the package that holds them has them. */
const startingWeights = z.object({
  name: z.string(),
  publisher: z.string(),
  licence: z.string(),
  package: z.string(),
  version: z.string(),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
  /** Holds what about their origin could not be checked. */
  unverified: z.string(),
});
const metric = z.object({ set: z.string(), metric: z.string(), value: z.number() });
/**
 * Holds what a classified text is from: a debate, a speech or a post, whose labels are those of the public sets; or an
 * article, whose labels are those of nlp/lexicon/claims.
 */
export const GENRES = ["debate", "news"] as const;
export type Genre = (typeof GENRES)[number];

const calibration = z.object({
  lang: z.string(),
  genre: z.enum(GENRES).default("debate"),
  /** Probability: the logistic function of scale × output + bias (Platt 1999). */
  scale: z.number().positive(),
  bias: z.number(),
  threshold: z.number().min(0).max(1),
});

/** Schema of `model.json`. `files` names every file of the model beside the card itself. */
export const modelCard = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  revision: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  task: z.enum(TASKS),
  languages: z.array(z.string()).min(1),
  description: z.string(),
  licence: z.string(),
  dims: z.number().int().min(1).max(4096).optional(),
  architecture: z
    .enum([
      "weighted-bag",
      "encoder-classifier",
      "encoder",
      "cross-encoder",
      "encoder-chain",
      "encoder-decoder",
      "dual-encoder",
      "encoder-attention",
      "linear",
      "pieces",
    ])
    .optional(),
  /** Of an encoder: how its token vectors become one. */
  pooling: z.enum(["mean", "cls"]).optional(),
  count_power: z.number().min(0).max(2).optional(),
  /** Tokens of the longest text that the model reads to its end. */
  max_tokens: z.number().int().min(2).max(8192).optional(),
  /** By genre and language; the entries of a genre are in the order of the outputs that the model has for it. */
  calibration: z.array(calibration).optional(),
  /**
   * Of a contextual model: the shipped model of task `pieces`, in the folder beside its own, whose tokenizer and rows
   * it reads.
   */
  pieces: z.string().optional(),
  /** Of a model that translates: the languages that it reads and writes. */
  translates: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Of a model with `weights.bin`: layers, and outputs and inputs of the matrices of each, which it has in 4 bits. */
  packed: z
    .object({
      layers: z.number().int().positive(),
      matrices: z.array(z.tuple([z.number().int().positive(), z.number().int().positive().multipleOf(32)])).min(1),
    })
    .optional(),
  prefixes: z.object({ query: z.string(), passage: z.string() }).optional(),
  files: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), file),
  /** Constants of `model.onnx` that are read without running it: where the bytes of each stand in the file. */
  constants: z
    .record(z.string(), z.object({ offset: z.number().int().min(0), bytes: z.number().int().positive() }))
    .optional(),
  starting_weights: z.array(startingWeights).optional(),
  training_data: z.array(dataSet).optional(),
  trained_by: z.string().optional(),
  measured_by: z.string().optional(),
  metrics: z.array(metric).optional(),
});

/** A model's card, as in `model.json`. */
export type ModelCard = z.infer<typeof modelCard>;

/** `name@revision`: changes whenever the vectors of one model stop being comparable with those made before. */
export function modelId(card: Pick<ModelCard, "name" | "revision">): string {
  return `${card.name}@${card.revision}`;
}

/** Returns the name in a {@link modelId}. */
export function modelName(id: string): string {
  return id.replace(/@[^@]*$/, "");
}
