import type { Tensor } from "onnxruntime-node";
import { loadOnnxruntime } from "../../lib/models/runtime/onnxruntime.ts";
import { type Constant, emptyModel, type Model, plainNode, port, TYPES, type TypeName, writeModel } from "./onnx.ts";
import type { Product } from "./products.ts";
import type { Feeds } from "./session.ts";

/** A model of nothing but these products, and inputs for it. Each product has an operand of its own kind and
 * shape as input, and gives its first value: what it computed is neither copied nor kept. */
export type Limit = { bytes: Uint8Array; feeds: Feeds };

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
