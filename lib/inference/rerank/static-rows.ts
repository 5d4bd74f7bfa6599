/** The rows of a static embedding: one a token, in 4 bits. */
export interface StaticRows {
  readonly width: number;
  /** The rows of `ids`, one after the other. */
  rowsOf(ids: ArrayLike<number>): Float32Array;
}

type Field = { number: number; bytes: Uint8Array };

const LENGTH_DELIMITED = 2;
/** Fields of ONNX's messages (onnx.proto): ModelProto.graph, GraphProto.initializer; of TensorProto its name and its values as bytes. */
const [GRAPH, INITIALIZER, NAME, RAW_DATA] = [7, 5, 8, 9];

/** Weights of a row. */
const WIDTH = 256;
/** Weights of a row that share a step. */
const BLOCK = 32;

/** Reads the constants `packed` (half a byte a weight, low halves first, each minus 8) and `steps` (float16, one for each 32 weights of a row)
 * of an ONNX model. @throws Error when it has none */
export function readStaticRows(model: Uint8Array): StaticRows {
  const constants = constantsOf(model);
  const [packed, halves] = [constants.get("packed"), constants.get("steps")];
  if (packed === undefined || halves === undefined) throw new Error("the model has no packed rows with steps");
  const view = new DataView(halves.buffer, halves.byteOffset, halves.byteLength);
  const steps = Float32Array.from({ length: halves.length / 2 }, (_, i) => fromFloat16(view.getUint16(i * 2, true)));
  const blocks = WIDTH / BLOCK;
  if (steps.length === 0 || packed.length * 2 !== steps.length * BLOCK) {
    throw new Error("the rows have no step for each of their blocks");
  }
  return {
    width: WIDTH,
    rowsOf(ids) {
      const out = new Float32Array(ids.length * WIDTH);
      for (let place = 0; place < ids.length; place++) {
        const id = ids[place] ?? 0;
        const from = (id * WIDTH) / 2;
        const to = place * WIDTH;
        for (let block = 0; block < blocks / 2; block++) {
          const low = steps[id * blocks + block] ?? 0;
          const high = steps[id * blocks + block + blocks / 2] ?? 0;
          for (let i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
            const byte = packed[from + i] ?? 0;
            out[to + i] = ((byte & 15) - 8) * low;
            out[to + i + WIDTH / 2] = ((byte >> 4) - 8) * high;
          }
        }
      }
      return out;
    },
  };
}

/** The constants of the graph, by name, as bytes. */
function constantsOf(model: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const graph of fields(model)) {
    if (graph.number !== GRAPH) continue;
    for (const tensor of fields(graph.bytes)) {
      if (tensor.number !== INITIALIZER) continue;
      const parts = [...fields(tensor.bytes)];
      const bytesOf = (number: number) => parts.find((part) => part.number === number)?.bytes ?? new Uint8Array();
      found.set(new TextDecoder().decode(bytesOf(NAME)), bytesOf(RAW_DATA));
    }
  }
  return found;
}

/** The value of a finite IEEE 754 half. */
function fromFloat16(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** The fields of a message in protocol buffers' encoding. @throws Error where it ends too early */
function* fields(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("the message is cut off");
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const kind = tag % 8;
    const number = (tag - kind) / 8;
    const value = kind === 0 || kind === LENGTH_DELIMITED ? varint() : 0;
    const size = kind === LENGTH_DELIMITED ? value : kind === 1 ? 8 : kind === 5 ? 4 : 0;
    if (at + size > bytes.length) throw new Error("the message is cut off");
    yield { number, bytes: bytes.subarray(at, at + size) };
    at += size;
  }
}
