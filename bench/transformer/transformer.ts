import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type ModelCard, openRegistry } from "@isnad/lib/models";
import type { InferenceSession } from "onnxruntime-node";
import { loadOnnxruntime } from "../../lib/models/runtime/onnxruntime.ts";
import { type Figure, interleaved, median } from "../rounds.ts";
import {
  type Feeds,
  headsOf,
  kernelsOf,
  limitOf,
  multiplications,
  openOrt,
  type Product,
  productsOf,
  shares,
} from "./kernels.ts";
import { elseBranches, floatTwin, type Model, readModel, writeModel } from "./onnx.ts";

/** Runs a model once and lets go of what it gave. */
async function runOnce(session: InferenceSession, feeds: Feeds): Promise<void> {
  for (const tensor of Object.values(await session.run(feeds))) tensor.dispose();
}

/** Ids lie between these: no special tokens, and within every vocabulary. */
const FIRST_ID = 10;
const IDS = 1_000;

/**
 * Inputs for a transformer: random ids [rows, length], a mask of ones, types of zeros. @throws TypeError for an input
 * that is none of these
 */
export async function transformerFeeds(session: InferenceSession, rows: number, length: number): Promise<Feeds> {
  const { Tensor } = await loadOnnxruntime();
  const feeds: Feeds = {};
  for (const input of session.inputMetadata) {
    const { name } = input;
    const value = valueFor(name);
    if (!input.isTensor || value === undefined) throw new TypeError(`${name} is no input of a transformer`);
    const dims = [rows, length];
    const cells = Array.from({ length: rows * length }, value);
    if (input.type === "int64") feeds[name] = new Tensor("int64", BigInt64Array.from(cells, BigInt), dims);
    else if (input.type === "int32") feeds[name] = new Tensor("int32", Int32Array.from(cells), dims);
    else throw new TypeError(`${name} is of type ${input.type}`);
  }
  return feeds;
}

/** Tells whether an input of this name is one that {@link transformerFeeds} can make up. */
function isTransformerInput(name: string): boolean {
  return valueFor(name) !== undefined;
}

function valueFor(name: string): (() => number) | undefined {
  if (/mask/.test(name)) return () => 1;
  if (/type/.test(name)) return () => 0;
  return /ids/.test(name) ? () => FIRST_ID + Math.floor(Math.random() * IDS) : undefined;
}

/** Tokens of a sequence, and the numbers of sequences among which the best batch is looked for. */
const LENGTH = 32;
const ROWS = [1, 4, 8, 16, 32, 64];

/** Runs in a round, so that a round is long beside the clock's grain. */
const RUNS = 5;

/**
 * Returns what the transformer models at hand make of the processor, on one thread: those with a transformer among the
 * shipped ones and those of `DATA_DIR`, or the folders that `BENCH_MODELS` names (with `:` between).
 */
export async function transformer(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const dir of folders()) {
    const bytes = await optimised(elseBranches(readFileSync(join(dir, "model.onnx"))));
    const model = readModel(bytes);
    if (isTransformer(model)) figures.push(...(await measure(basename(dir), bytes, model, rounds)));
  }
  if (figures.length === 0) process.stderr.write("transformer: no model with a transformer is at hand\n");
  return figures;
}

function folders(): string[] {
  const { BENCH_MODELS, DATA_DIR } = process.env;
  if (BENCH_MODELS !== undefined) return BENCH_MODELS.split(":");
  const registry = openRegistry(DATA_DIR === undefined ? {} : { dataDir: DATA_DIR });
  return registry.list().flatMap(({ dir, card }) => (hasWholeGraph(card) ? [dir] : []));
}

/** Tells whether a model can be opened by its graph alone; one with weights elsewhere is measured by its task. */
export function hasWholeGraph(card: Pick<ModelCard, "files" | "packed" | "lower"> | undefined): boolean {
  return card?.files["model.onnx"] !== undefined && card.packed === undefined && card.lower === undefined;
}

/** The model as the runtime makes it before it runs it: with its fused operators. */
export async function optimised(bytes: Uint8Array): Promise<Uint8Array> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-optimised-"));
  try {
    const file = join(dir, "model.onnx");
    const session = await openOrt(bytes, { optimizedModelFilePath: file, graphOptimizationLevel: "extended" });
    await session.release();
    return readFileSync(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Tells whether the model reads sequences of tokens and nothing else, and mixes them by attention; a reader of pairs is
 * measured by its task.
 */
export function isTransformer({ nodes, inputs }: Model): boolean {
  const readsTokens =
    inputs.some(({ name }) => name === "input_ids") && inputs.every(({ name }) => isTransformerInput(name));
  return readsTokens && nodes.some(({ op }) => /Attention$|Softmax$/.test(op));
}

async function measure(name: string, bytes: Uint8Array, model: Model, rounds: number): Promise<Figure[]> {
  const session = await openOrt(bytes);
  const rows = await bestRows(session);
  const feeds = await transformerFeeds(session, rows, LENGTH);
  const kernels = await kernelsOf(bytes, feeds);
  const products = productsOf(kernels, headsOf(model));
  const limit = await limitOf(products);
  const floats = await limitOf(products.map((product) => ({ ...product, kind: floatKind(product) })));
  // without the pass that finds equal nodes: products of the same operands would be computed once
  const options = { graphOptimizationLevel: "disabled", enableCpuMemArena: true } as const;
  const [bare, bareFloats] = [await openOrt(limit.bytes, options), await openOrt(floats.bytes, options)];
  const twin = await openOrt(writeModel(floatTwin(model)));
  const repeat = async (run: () => Promise<void>): Promise<void> => {
    for (let i = 0; i < RUNS; i++) await run();
  };
  const times = await interleaved(
    [
      { name: "model", run: () => repeat(() => runOnce(session, feeds)) },
      { name: "products", run: () => repeat(() => runOnce(bare, limit.feeds)) },
      { name: "float products", run: () => repeat(() => runOnce(bareFloats, floats.feeds)) },
      { name: "float", run: () => repeat(() => runOnce(twin, feeds)) },
    ],
    { rounds: 3 * rounds, warmup: 5 },
  );
  await Promise.all([session, bare, bareFloats, twin].map((opened) => opened.release()));
  const ms = (of: string): number => median(times.get(of) ?? []) / RUNS;
  const rate = (rows * LENGTH) / ms("model");
  const top = shares(kernels).slice(0, 7);
  const parts = top.map(({ op, share }) => `${op} ${Math.round(share * 100)} %`).join(", ");
  const operations = multiplications(products) / ms("products") / 1e6;
  return [
    {
      name: `${name}: speed of its products alone`,
      value: ms("products") / ms("model"),
      bound: { atLeast: 0.9 },
      detail: `${rows} × ${LENGTH} tokens: ${ms("model").toFixed(2)} ms, ${rate.toFixed(1)} tokens/ms; ${products.length} products ${ms("products").toFixed(2)} ms, ${operations.toFixed(0)} G multiplications/s (in floats ${ms("float products").toFixed(2)} ms); time goes to ${parts}`,
    },
    {
      name: `${name}: int8 beside float, times as fast`,
      value: ms("float") / ms("model"),
      bound: { atLeast: 2 },
      detail: `float ${ms("float").toFixed(2)} ms`,
    },
  ];
}

const floatKind = ({ kind }: Product): Product["kind"] => (kind === "int8" ? "weights" : kind);

/** The number of sequences in a run with which most tokens a second are read. */
async function bestRows(session: Awaited<ReturnType<typeof openOrt>>): Promise<number> {
  const batches = await Promise.all(
    ROWS.map(async (rows) => ({ rows, feeds: await transformerFeeds(session, rows, LENGTH) })),
  );
  const times = await interleaved(
    batches.map(({ rows, feeds }) => ({ name: String(rows), run: () => runOnce(session, feeds) })),
    { rounds: 15, warmup: 3 },
  );
  const rate = (rows: number): number => rows / median(times.get(String(rows)) ?? []);
  return ROWS.reduce((best, rows) => (rate(rows) > rate(best) ? rows : best));
}
