import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@isnad/lib/service/http";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { loadOnnxruntime } from "../../lib/models/runtime/onnxruntime.ts";
import { type Constant, emptyModel, type Model, plainNode, port, type TypeName, TYPES, writeModel } from "./onnx.ts";

/** Inputs of a model by name. */
export type Feeds = Record<string, Tensor>;

/** A session on one thread, with the options that the services use unless others are given. */
export async function openOrt(
  model: Uint8Array,
  options: InferenceSession.SessionOptions = {},
): Promise<InferenceSession> {
  const { InferenceSession } = await loadOnnxruntime();
  return InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    ...options,
  });
}

/** Type and dimensions of a tensor, as a session met it. */
type Met = { type: string; dims: number[] };

/**
 * A node of the graph that a session runs, with the tensors it met and the median time that it took, in microseconds.
 */
export type Kernel = { op: string; inputs: Met[]; outputs: Met[]; constantBytes: number; us: number };

const tensors = z.array(z.record(z.string(), z.array(z.number())));
const events = z.array(
  z.object({
    name: z.string().optional(),
    dur: z.number().optional(),
    args: z
      .object({
        op_name: z.string(),
        node_index: z.string(),
        input_type_shape: tensors,
        output_type_shape: tensors,
        parameter_size: z.string(),
      })
      .partial()
      .optional(),
  }),
);

/**
 * Runs a model `runs` times over these inputs and returns its kernels as the runtime's own profile shows them, in
 * order.
 */
export async function kernelsOf(model: Uint8Array, feeds: Feeds, runs = 30): Promise<Kernel[]> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-profile-"));
  try {
    const session = await openOrt(model, { enableProfiling: true, profileFilePrefix: join(dir, "p") });
    for (let i = 0; i < runs; i++) await session.run(feeds);
    session.endProfiling();
    await session.release();
    const [file = ""] = readdirSync(dir);
    return read(events.parse(JSON.parse(readFileSync(join(dir, file), "utf8"))));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function read(found: z.infer<typeof events>): Kernel[] {
  const times = new Map<string, number[]>();
  const kernels = new Map<string, Kernel>();
  for (const { name, dur = 0, args } of found) {
    const { op_name: op, node_index: index, input_type_shape: inputs, output_type_shape: outputs } = args ?? {};
    if (!name?.endsWith("_kernel_time") || op === undefined || index === undefined) continue;
    times.set(index, [...(times.get(index) ?? []), dur]);
    const constantBytes = Number(args?.parameter_size ?? 0);
    kernels.set(index, { op, inputs: met(inputs), outputs: met(outputs), constantBytes, us: 0 });
  }
  return [...kernels].map(([index, kernel]) => {
    const sorted = (times.get(index) ?? []).sort((a, b) => a - b);
    return { ...kernel, us: sorted[sorted.length >> 1] ?? 0 };
  });
}

function met(shapes: z.infer<typeof tensors> | undefined): Met[] {
  return (shapes ?? []).flatMap((shape) => Object.entries(shape).map(([type, dims]) => ({ type, dims })));
}

/** The share of each operator in the time of all kernels, the largest first. */
export function shares(kernels: readonly Kernel[]): { op: string; share: number }[] {
  const total = kernels.reduce((sum, { us }) => sum + us, 0);
  const byOp = new Map<string, number>();
  for (const { op, us } of kernels) byOp.set(op, (byOp.get(op) ?? 0) + us);
  return [...byOp].map(([op, us]) => ({ op, share: us / total })).sort((a, b) => b.share - a.share);
}

type EightBit = "uint8" | "int8";

/**
 * A matrix product of a model: `batch` times [rows, inner] × [inner, columns]. `kind` says with which operator: 8-bit
 * numbers times 8-bit weights into floats, floats times constant weights, or floats times floats that were computed.
 */
export type Product = {
  kind: "int8" | "weights" | "computed";
  /** Types of the factors where `kind` is int8. */
  types: readonly [left: EightBit, right: EightBit];
  batch: number;
  rows: number;
  inner: number;
  columns: number;
};

const size = (dims: readonly number[]): number => dims.reduce((product, dim) => product * dim, 1);
const last = (dims: readonly number[] | undefined, back = 1): number => dims?.at(-back) ?? 1;

/**
 * The matrix products within the kernels of a session, those within attention among them. `heads` is the number of
 * attention heads. @throws TypeError for an operator that multiplies matrices and is not known here
 */
export function productsOf(kernels: readonly Kernel[], heads: number): Product[] {
  return kernels.flatMap((kernel): Product[] => {
    const { op, inputs, outputs, constantBytes } = kernel;
    const [left, right] = inputs;
    const out = outputs[0]?.dims ?? [];
    const columns = last(out);
    const rows = size(out) / columns;
    const inner = size(left?.dims ?? []) / rows;
    const one = (kind: Product["kind"]): Product => ({ kind, types: typesOf(kernel), batch: 1, rows, inner, columns });
    switch (op) {
      case "MatMulIntegerToFloat":
      case "DynamicQuantizeMatMul":
        return [one("int8")];
      case "Gemm":
        return [one("weights")];
      case "MatMul":
      case "FusedMatMul": {
        if (constantBytes > 0) return [one("weights")];
        const batch = size(out.slice(0, -2));
        return [
          { ...one("computed"), batch, rows: last(out, 2), inner: size(left?.dims ?? []) / (batch * last(out, 2)) },
        ];
      }
      case "MultiHeadAttention":
        return attention(left?.dims ?? [], right?.dims ?? [], heads);
      case "Attention":
      case "QAttention": {
        const kind = op === "QAttention" ? "int8" : "weights";
        const wide = { ...one(kind), columns: last(right?.dims) };
        return [wide, ...attention(out, out, heads)];
      }
      default:
        if (/MatMul|Gemm|Attention|Conv/.test(op))
          throw new TypeError(`${op} multiplies matrices in a way not known here`);
        return [];
    }
  });
}

/** Queries [batch, rows, width] times keys, and their weights times values. */
function attention(query: readonly number[], key: readonly number[], heads: number): Product[] {
  const [batch = 1, rows = 1, width = 1] = query;
  const keys = key[1] ?? rows;
  const shared = { kind: "computed", types: ["uint8", "int8"], batch: batch * heads, rows } as const;
  return [
    { ...shared, inner: width / heads, columns: keys },
    { ...shared, inner: keys, columns: width / heads },
  ];
}

/**
 * Constant weights are packed at the start and then no input any more: their type is that of their zero points, the
 * last 8-bit input.
 */
function typesOf({ inputs }: Kernel): Product["types"] {
  const types = inputs.flatMap(({ type }): EightBit[] => (type === "int8" || type === "uint8" ? [type] : []));
  return [types[0] ?? "uint8", types.at(-1) ?? "int8"];
}

/**
 * The number of attention heads of a model; 1 for one without attention. @throws TypeError where layers differ in it
 */
export function headsOf({ nodes }: Model): number {
  const headCounts = new Set(
    nodes.flatMap(({ op, numbers }) => (/Attention$/.test(op) ? [numbers.num_heads ?? 1] : [])),
  );
  if (headCounts.size > 1) throw new TypeError("the layers of the model have different numbers of heads");
  return [...headCounts][0] ?? 1;
}

/** Multiplications of all products. */
export function multiplications(products: readonly Product[]): number {
  return products.reduce((sum, { batch, rows, inner, columns }) => sum + batch * rows * inner * columns, 0);
}

/** A model of nothing but these products, and inputs for it. Each product has an operand of its own kind and
 * shape as input, and gives its first value: what it computed is neither copied nor kept. */
type Limit = { bytes: Uint8Array; feeds: Feeds };

type Values = Float32Array | Int8Array | Uint8Array;

/** Builds the limit; all operands hold random values of the magnitude that occurs in the model. */
export async function limitOf(products: readonly Product[]): Promise<Limit> {
  const { Tensor } = await loadOnnxruntime();
  const model = emptyModel();
  const feeds: Feeds = {};
  const input = (type: TypeName, dims: number[]): string => {
    const name = `${type}_${dims.join("x")}`;
    if (feeds[name] === undefined) {
      feeds[name] = tensorOf(Tensor, values(type, dims), dims);
      model.inputs.push(port(name, type, dims));
    }
    return name;
  };
  products.forEach((product, i) => {
    const { kind, types, batch, rows, inner, columns } = product;
    const shape = batch === 1 ? [rows, inner] : [batch, rows, inner];
    const made = `made${i}`;
    if (kind === "int8") {
      const left = input(types[0], shape);
      const constant = (part: string, type: TypeName, dims: number[]) => add(model, `p${i}.${part}`, type, dims);
      const scales = [constant("scale", "float32", []), constant("scales", "float32", [columns])];
      const zeros = [constant("zero", types[0], []), zeroPoints(model, types[1], columns)];
      const weights = constant("weights", types[1], [inner, columns]);
      const inputs = [left, weights, ...scales, ...zeros, constant("bias", "float32", [columns])];
      model.nodes.push(plainNode("MatMulIntegerToFloat", inputs, made, "com.microsoft"));
    } else {
      const right = batch === 1 ? [inner, columns] : [batch, inner, columns];
      const second = kind === "weights" ? add(model, `p${i}.weights`, "float32", right) : input("float32", right);
      model.nodes.push(plainNode("MatMul", [input("float32", shape), second], made));
    }
    const rank = shape.length;
    const ends = [indexes(model, rank, 0), indexes(model, rank, 1)];
    model.nodes.push(plainNode("Slice", [made, ...ends], `first${i}`));
    model.outputs.push(port(`first${i}`, "float32"));
  });
  return { bytes: writeModel(model), feeds };
}

/** Adds a constant of random values. */
function add(model: Model, name: string, type: TypeName, dims: number[]): string {
  model.constants.push({ name, type: TYPES[type], dims, bytes: bytesOf(values(type, dims)) });
  return name;
}

/** Zero points of weights that are symmetric about 0. */
function zeroPoints(model: Model, type: "int8" | "uint8", columns: number): string {
  const name = `${type}_zeros${columns}`;
  if (!model.constants.some((constant) => constant.name === name)) {
    const middle = type === "int8" ? 0 : 128;
    model.constants.push({ name, type: TYPES[type], dims: [columns], bytes: new Uint8Array(columns).fill(middle) });
  }
  return name;
}

/** The constant [value, value, …] of a rank. */
function indexes(model: Model, rank: number, value: number): string {
  const name = `${value}s${rank}`;
  if (!model.constants.some((constant) => constant.name === name)) {
    const bytes = bytesOf(new BigInt64Array(rank).fill(BigInt(value)));
    const constant: Constant = { name, type: TYPES.int64, dims: [rank], bytes };
    model.constants.push(constant);
  }
  return name;
}

function values(type: TypeName, dims: readonly number[]): Values {
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (type === "uint8") return Uint8Array.from({ length: count }, () => Math.random() * 255);
  if (type === "int8") return Int8Array.from({ length: count }, () => Math.random() * 254 - 127);
  return Float32Array.from({ length: count }, () => Math.random() - 0.5);
}

function bytesOf(array: Values | BigInt64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function tensorOf(Made: typeof Tensor, array: Values, dims: number[]): Tensor {
  if (array instanceof Float32Array) return new Made("float32", array, dims);
  return array instanceof Int8Array ? new Made("int8", array, dims) : new Made("uint8", array, dims);
}
