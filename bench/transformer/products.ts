import type { Kernel } from "./kernels.ts";
import type { Model } from "./onnx.ts";

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
