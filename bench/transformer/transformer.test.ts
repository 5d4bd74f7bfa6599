import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry, SHIPPED_MODELS } from "@isnad/lib/models";
import { hasWholeGraph, isTransformer, optimised, transformerFeeds } from "./transformer.ts";
import { elseBranches, emptyModel, floatTwin, plainNode, port, readModel, TYPES, writeModel } from "./onnx.ts";
import {
  type Feeds,
  headsOf,
  type Kernel,
  kernelsOf,
  limitOf,
  multiplications,
  openOrt,
  productsOf,
  shares,
} from "./kernels.ts";
import { loadOnnxruntime } from "../../lib/models/runtime/onnxruntime.ts";

const whole = (name: string): Uint8Array => readFileSync(join(SHIPPED_MODELS, name, "model.onnx"));
const read = (name: string): Uint8Array => elseBranches(whole(name));
const found = openRegistry()
  .list()
  .find(({ name, card }) => card?.files["model.onnx"] !== undefined && isTransformer(readModel(read(name))));
if (found === undefined) throw new Error("no shipped model is a transformer");
const bytes = await optimised(read(found.name));
const model = readModel(bytes);

async function outputsOf(made: Uint8Array, feeds: Feeds): Promise<number[]> {
  const session = await openOrt(made);
  const [output] = Object.values(await session.run(feeds));
  await session.release();
  return Array.from(output?.data ?? [], Number);
}

async function someFeeds(rows: number, length: number): Promise<Feeds> {
  const session = await openOrt(bytes);
  const feeds = await transformerFeeds(session, rows, length);
  await session.release();
  return feeds;
}

test("a model without its branches computes what the else branch does", async () => {
  const { Tensor } = await loadOnnxruntime();
  const given = readModel(whole(found.name)).inputs.some(({ name }) => name === "news");
  const feeds = await someFeeds(2, 7);
  const news = new Tensor("bool", [false], []);
  expect(await outputsOf(read(found.name), feeds)).toEqual(
    await outputsOf(whole(found.name), { ...feeds, ...(given && { news }) }),
  );
});

test("a model that was read and written again computes the same", async () => {
  const feeds = await someFeeds(2, 7);
  expect(await outputsOf(writeModel(readModel(bytes)), feeds)).toEqual(await outputsOf(bytes, feeds));
});

test("the twin in floats computes nearly the same, and has no 8-bit product left", async () => {
  const feeds = await someFeeds(8, 24);
  const twin = floatTwin(model);
  expect(twin.nodes.map(({ op }) => op).filter((op) => /MatMulInteger|QuantizeLinear|QuantizeMatMul/.test(op))).toEqual(
    [],
  );
  const [exact, rounded] = [await outputsOf(writeModel(twin), feeds), await outputsOf(bytes, feeds)];
  expect(exact).toHaveLength(rounded.length);
  const mean = exact.reduce((sum, value) => sum + value, 0) / exact.length;
  const spread = Math.sqrt(exact.reduce((sum, value) => sum + (value - mean) ** 2, 0) / exact.length);
  const error = Math.sqrt(exact.reduce((sum, value, i) => sum + (value - (rounded[i] ?? 0)) ** 2, 0) / exact.length);
  expect(error).toBeLessThan(0.25 * spread);
  expect(exact).not.toEqual(rounded);
});

test("a model without 8-bit products has no twin", () => {
  expect(() => floatTwin(emptyModel())).toThrow("no product of 8-bit numbers");
});

test("products grow with the batch as matrices do, and those of attention are among them", async () => {
  const heads = headsOf(model);
  expect(heads).toBeGreaterThan(1);
  const of = async (rows: number, length: number) =>
    productsOf(await kernelsOf(bytes, await someFeeds(rows, length), 2), heads);
  const [one, four] = [await of(1, 16), await of(4, 16)];
  expect(multiplications(four)).toBe(4 * multiplications(one));
  const layers = model.nodes.filter(({ op }) => op === "MultiHeadAttention").length;
  expect(one.filter(({ batch }) => batch === heads)).toHaveLength(2 * layers);
  expect(one.filter(({ kind }) => kind === "int8").every(({ types }) => types.join() === "uint8,int8")).toBe(true);
});

test("the limit is a model of these products and nothing else to speak of", async () => {
  const feeds = await someFeeds(4, 16);
  const products = productsOf(await kernelsOf(bytes, feeds, 2), headsOf(model));
  const limit = await limitOf(products);
  const session = await openOrt(limit.bytes, { graphOptimizationLevel: "disabled" });
  expect(Object.keys(await session.run(limit.feeds))).toHaveLength(products.length);
  await session.release();
  const ops = readModel(limit.bytes).nodes.map(({ op }) => op);
  expect(ops.filter((op) => op !== "Slice")).toHaveLength(products.length);
  expect(new Set(ops)).toEqual(new Set(["MatMulIntegerToFloat", "MatMul", "Slice"]));
});

const met = (...dims: number[]) => ({ type: "float", dims });
const kernel = (over: Partial<Kernel>): Kernel => ({
  op: "MatMul",
  inputs: [],
  outputs: [],
  constantBytes: 0,
  us: 1,
  ...over,
});

test("shapes of products come from what a kernel took and gave", () => {
  const computed = kernel({ inputs: [met(2, 3, 4, 5), met(2, 3, 5, 6)], outputs: [met(2, 3, 4, 6)] });
  expect(productsOf([computed], 1)).toMatchObject([{ kind: "computed", batch: 6, rows: 4, inner: 5, columns: 6 }]);
  const weights = kernel({ inputs: [met(2, 4, 5)], outputs: [met(2, 4, 7)], constantBytes: 140 });
  expect(productsOf([weights], 1)).toMatchObject([{ kind: "weights", batch: 1, rows: 8, inner: 5, columns: 7 }]);
  const attention = kernel({ op: "MultiHeadAttention", inputs: [met(2, 4, 8), met(2, 4, 8)], outputs: [met(2, 4, 8)] });
  expect(productsOf([attention], 2)).toMatchObject([
    { batch: 4, rows: 4, inner: 4, columns: 4 },
    { batch: 4, rows: 4, inner: 4, columns: 4 },
  ]);
});

test("an operator that multiplies in an unknown way is not passed over", () => {
  expect(() => productsOf([kernel({ op: "ConvInteger" })], 1)).toThrow("ConvInteger");
});

test("shares of the operators sum to 1, the largest first", () => {
  const kernels = [kernel({ us: 1 }), kernel({ op: "Gelu", us: 6 }), kernel({ us: 3 })];
  expect(shares(kernels)).toEqual([
    { op: "Gelu", share: 0.6 },
    { op: "MatMul", share: 0.4 },
  ]);
});

test("an input that no transformer has is refused", async () => {
  const made = emptyModel();
  made.inputs.push(port("weights", "float32", [1]));
  made.outputs.push(port("same", "float32", [1]));
  made.nodes.push(plainNode("Identity", ["weights"], "same"));
  const session = await openOrt(writeModel(made));
  await expect(transformerFeeds(session, 1, 1)).rejects.toThrow("weights is no input of a transformer");
  expect(Object.keys(TYPES)).toContain(session.inputMetadata[0]?.isTensor ? session.inputMetadata[0].type : "");
});

test("every shipped model is measured or left out, and none ends the run", async () => {
  const measured: string[] = [];
  for (const { name, card } of openRegistry().list()) {
    if (!hasWholeGraph(card)) continue;
    const made = await optimised(read(name));
    if (!isTransformer(readModel(made))) continue;
    const session = await openOrt(made);
    await session.run(await transformerFeeds(session, 1, 8));
    await session.release();
    measured.push(name);
  }
  expect(measured).toContain("checkworthy-ar-en");
  expect(measured).not.toContain("rerank-ar-en");
});
