import { type Constant, type Model, type Node, plainNode, TYPES } from "./onnx.ts";

/**
 * The same model with float weights in place of 8-bit ones: every product of 8-bit numbers becomes one of floats, over
 * what was made 8-bit for it. What it computes differs by the rounding alone.
 * @throws TypeError when the model has no such product, or has one in a form that is not known here
 */
export function floatTwin(model: Model): Model {
  const constants = new Map(model.constants.map((constant) => [constant.name, constant]));
  const makers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const added: Constant[] = [];
  let replaced = 0;
  const nodes = model.nodes.flatMap((node): Node[] => {
    if (/^(MatMulInteger|QLinearMatMul|QAttention|QGemm|ConvInteger)$/.test(node.op)) {
      throw new TypeError(`${node.op} has no twin here`);
    }
    if (node.op !== "MatMulIntegerToFloat" && node.op !== "DynamicQuantizeMatMul") return [node];
    const dynamic = node.op === "DynamicQuantizeMatMul";
    const [left = "", right = "", ...others] = node.inputs;
    const [scale, zero, bias] = dynamic ? [others[0], others[1], others[2]] : [others[1], others[3], others[4]];
    const source = dynamic ? left : makers.get(left)?.inputs[0];
    const table = constants.get(right);
    const [output = ""] = node.outputs;
    if (source === undefined || table === undefined) throw new TypeError(`${output} is not made of constant weights`);
    const name = `${right}.float`;
    if (!added.some((constant) => constant.name === name)) {
      added.push(inFloats(name, table, numbers(constants.get(scale ?? "")), numbers(constants.get(zero ?? ""))));
    }
    replaced++;
    if (bias === undefined || bias === "") return [plainNode("MatMul", [source, name], output)];
    return [plainNode("MatMul", [source, name], `${output}.bare`), plainNode("Add", [`${output}.bare`, bias], output)];
  });
  if (replaced === 0) throw new TypeError("the model has no product of 8-bit numbers");
  const used = new Set([...nodes.flatMap(({ inputs }) => inputs), ...model.outputs.map(({ name }) => name)]);
  const kept = nodes.filter(({ op, outputs }) => !/QuantizeLinear$/.test(op) || outputs.some((name) => used.has(name)));
  const needed = new Set(kept.flatMap(({ inputs }) => inputs));
  return { ...model, nodes: kept, constants: [...model.constants, ...added].filter(({ name }) => needed.has(name)) };
}

function inFloats(name: string, table: Constant, scales: number[], zeros: number[]): Constant {
  const columns = table.dims.at(-1) ?? 1;
  const { buffer, byteOffset, byteLength } = table.bytes;
  const whole = table.type === TYPES.int8 ? new Int8Array(buffer, byteOffset, byteLength) : table.bytes;
  const floats = new Float32Array(whole.length);
  whole.forEach((value, i) => {
    const column = i % columns;
    floats[i] = (value - (zeros[column] ?? zeros[0] ?? 0)) * (scales[column] ?? scales[0] ?? 1);
  });
  return { name, type: TYPES.float32, dims: table.dims, bytes: new Uint8Array(floats.buffer) };
}

function numbers(constant: Constant | undefined): number[] {
  if (constant === undefined) return [];
  const bytes = Uint8Array.from(constant.bytes);
  if (constant.type === TYPES.float32) return [...new Float32Array(bytes.buffer)];
  return [...(constant.type === TYPES.int8 ? new Int8Array(bytes.buffer) : bytes)];
}
