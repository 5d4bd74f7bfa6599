/**
 * A field of a protobuf message: its number and its value, a whole number, 4 or 8 raw bytes, or a length-delimited
 * piece. Source: protobuf.dev/programming-guides/encoding.
 */
export type Field =
  | { no: number; kind: "varint"; value: bigint }
  | { no: number; kind: "bytes"; value: Uint8Array }
  | { no: number; kind: "fixed"; value: Uint8Array };

/** The fields of a message in their order. @throws RangeError where the bytes end within a field */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("the message is cut off within a number");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  };
  const piece = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("the message is cut off within a field");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const no = tag >>> 3;
    if ((tag & 7) === 0) fields.push({ no, kind: "varint", value: varint() });
    else if ((tag & 7) === 1) fields.push({ no, kind: "fixed", value: piece(8) });
    else if ((tag & 7) === 2) fields.push({ no, kind: "bytes", value: piece(Number(varint())) });
    else if ((tag & 7) === 5) fields.push({ no, kind: "fixed", value: piece(4) });
    else throw new RangeError(`field ${no} is of a kind that is not read`);
  }
  return fields;
}

/** The bytes of a message with these fields. */
export function writeFields(fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { no, kind, value } of fields) {
    if (kind === "varint") parts.push(varint(BigInt(no) << 3n), varint(BigInt.asUintN(64, value)));
    else if (kind === "fixed") parts.push(varint((BigInt(no) << 3n) | (value.length === 8 ? 1n : 5n)), value);
    else parts.push(varint((BigInt(no) << 3n) | 2n), varint(BigInt(value.length)), value);
  }
  return Buffer.concat(parts);
}

function varint(value: bigint): Uint8Array {
  const out: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Uint8Array.from([...out, low]);
    out.push(low | 0x80);
  }
}

/** Numbers of the ONNX tensor types that are used here. */
export const TYPES = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
export type TypeName = keyof typeof TYPES;

/** A tensor that is part of a model: little-endian bytes of `dims` values. */
export type Constant = { name: string; type: number; dims: number[]; bytes: Uint8Array };

/** A node; the attributes are kept as they were read, those of whole numbers also by name. */
type Node = {
  op: string;
  domain: string;
  inputs: string[];
  outputs: string[];
  numbers: Record<string, number>;
  attributes: Field[];
};

/** A graph's input or output: its name, and the bytes of what is said of it. */
type Port = { name: string; bytes: Uint8Array };

/** A model as far as it is read here; everything else in it is kept in `rest`. */
export type Model = {
  nodes: Node[];
  constants: Constant[];
  inputs: Port[];
  outputs: Port[];
  rest: { model: Field[]; graph: Field[] };
};

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
const strings = (fields: readonly Field[], no: number): string[] =>
  fields.flatMap((field) => (field.no === no && field.kind === "bytes" ? [text(field.value)] : []));
const numberOf = (fields: readonly Field[], no: number): number =>
  Number(fields.flatMap((field) => (field.no === no && field.kind === "varint" ? [field.value] : []))[0] ?? 0n);
const pieces = (fields: readonly Field[], no: number): Uint8Array[] =>
  fields.flatMap((field) => (field.no === no && field.kind === "bytes" ? [field.value] : []));

/** Field numbers of onnx.proto3 (github.com/onnx/onnx). */
const GRAPH = 7;
const NODES = 1;
const CONSTANTS = 5;
const INPUTS = 11;
const OUTPUTS = 12;

/** Reads the bytes of an ONNX model. @throws RangeError when they are none */
export function readModel(bytes: Uint8Array): Model {
  const model = readFields(bytes);
  const [graphBytes] = pieces(model, GRAPH);
  if (graphBytes === undefined) throw new RangeError("a model without a graph");
  const graph = readFields(graphBytes);
  const ports = (no: number) =>
    pieces(graph, no).map((port) => ({ name: strings(readFields(port), 1)[0] ?? "", bytes: port }));
  return {
    nodes: pieces(graph, NODES).map(readNode),
    constants: pieces(graph, CONSTANTS).map(readConstant),
    inputs: ports(INPUTS),
    outputs: ports(OUTPUTS),
    rest: {
      model: model.filter(({ no }) => no !== GRAPH),
      graph: graph.filter(({ no }) => ![NODES, CONSTANTS, INPUTS, OUTPUTS].includes(no)),
    },
  };
}

/** The bytes of a model in which the else branch stands for each If; inputs that nothing else reads are gone. */
export function elseBranches(bytes: Uint8Array): Uint8Array {
  const model = readModel(bytes);
  if (!model.nodes.some(({ op }) => op === "If")) return bytes;
  const branches = model.nodes.map((node) => (node.op === "If" ? elseOf(node) : { nodes: [node], constants: [] }));
  const nodes = branches.flatMap((branch) => branch.nodes);
  const read = new Set(nodes.flatMap((node) => node.inputs));
  return writeModel({
    ...model,
    nodes,
    constants: [...model.constants, ...branches.flatMap(({ constants }) => constants)],
    inputs: model.inputs.filter(({ name }) => read.has(name)),
  });
}

/** The nodes and constants of an If's else branch; its outputs are named as the If's. */
function elseOf(node: Node): Pick<Model, "nodes" | "constants"> {
  const attributes = node.attributes.flatMap((field) => (field.kind === "bytes" ? [readFields(field.value)] : []));
  const [branch] = attributes.flatMap((fields) => (strings(fields, 1)[0] === "else_branch" ? pieces(fields, 6) : []));
  const graph = readFields(branch ?? new Uint8Array());
  const names = pieces(graph, OUTPUTS).map((output) => strings(readFields(output), 1)[0] ?? "");
  const nodes = pieces(graph, NODES).map(readNode);
  const ends = node.outputs.map((output, i) => plainNode("Identity", [names[i] ?? ""], output));
  return { nodes: [...nodes, ...ends], constants: pieces(graph, CONSTANTS).map(readConstant) };
}

function readNode(bytes: Uint8Array): Node {
  const fields = readFields(bytes);
  const attributes = fields.filter(({ no }) => no === 5);
  const numbers: Record<string, number> = {};
  for (const attribute of pieces(fields, 5).map(readFields)) {
    const [name] = strings(attribute, 1);
    if (name !== undefined && attribute.some(({ no }) => no === 3)) numbers[name] = numberOf(attribute, 3);
  }
  const [op = ""] = strings(fields, 4);
  const [domain = ""] = strings(fields, 7);
  return { op, domain, inputs: strings(fields, 1), outputs: strings(fields, 2), numbers, attributes };
}

function readConstant(bytes: Uint8Array): Constant {
  const fields = readFields(bytes);
  const packed = pieces(fields, 1).flatMap((piece) => readFields(Buffer.concat(prefixed(piece))));
  const dims = [...fields, ...packed].flatMap((f) => (f.no === 1 && f.kind === "varint" ? [Number(f.value)] : []));
  const [raw] = pieces(fields, 9);
  // small tensors may be written as lists of numbers in place of bytes: floats in field 4
  const [floats] = pieces(fields, 4);
  return {
    name: strings(fields, 8)[0] ?? "",
    type: numberOf(fields, 2),
    dims,
    bytes: raw ?? floats ?? new Uint8Array(),
  };
}

/** Each number of a packed list as a field 1 of its own. */
function prefixed(list: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let start = 0;
  list.forEach((byte, i) => {
    if (byte >= 0x80) return;
    parts.push(Uint8Array.of(8), list.subarray(start, i + 1));
    start = i + 1;
  });
  return parts;
}

const whole = (no: number, value: number): Field => ({ no, kind: "varint", value: BigInt(value) });
const piece = (no: number, value: Uint8Array | string): Field => ({
  no,
  kind: "bytes",
  value: typeof value === "string" ? bytesOf(value) : value,
});

/** The bytes of a model. */
export function writeModel({ nodes, constants, inputs, outputs, rest }: Model): Uint8Array {
  const graph = writeFields([
    ...nodes.map((node) => piece(NODES, writeNode(node))),
    ...rest.graph,
    ...constants.map((constant) => piece(CONSTANTS, writeConstant(constant))),
    ...inputs.map(({ bytes }) => piece(INPUTS, bytes)),
    ...outputs.map(({ bytes }) => piece(OUTPUTS, bytes)),
  ]);
  return writeFields([...rest.model, piece(GRAPH, graph)]);
}

function writeNode({ op, domain, inputs, outputs, attributes }: Node): Uint8Array {
  const names = [...inputs.map((name) => piece(1, name)), ...outputs.map((name) => piece(2, name))];
  return writeFields([...names, piece(4, op), ...(domain === "" ? [] : [piece(7, domain)]), ...attributes]);
}

function writeConstant({ name, type, dims, bytes }: Constant): Uint8Array {
  return writeFields([...dims.map((dim) => whole(1, dim)), whole(2, type), piece(8, name), piece(9, bytes)]);
}

/** A node without attributes. */
export function plainNode(op: string, inputs: string[], output: string, domain = ""): Node {
  return { op, domain, inputs, outputs: [output], numbers: {}, attributes: [] };
}

/** A port of a type, of fixed dimensions where they are given. */
export function port(name: string, type: TypeName, dims?: readonly number[]): Port {
  const shape = dims && [piece(2, writeFields(dims.map((dim) => piece(1, writeFields([whole(1, dim)])))))];
  const tensor = writeFields([whole(1, TYPES[type]), ...(shape ?? [])]);
  return { name, bytes: writeFields([piece(1, name), piece(2, writeFields([piece(1, tensor)]))]) };
}

/** An empty model of the operator sets that the models here use. */
export function emptyModel(): Model {
  const opset = (domain: string, version: number) => piece(8, writeFields([piece(1, domain), whole(2, version)]));
  const model = [whole(1, 10), opset("", 18), opset("com.microsoft", 1)];
  return { nodes: [], constants: [], inputs: [], outputs: [], rest: { model, graph: [piece(2, "bench")] } };
}

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
