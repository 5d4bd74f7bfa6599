import { fromFloat16 } from "../../models/float16.ts";
import { readFields } from "../../tokenizers/protobuf.ts";

/** The rows of a static embedding: one a token, in 4 bits. */
export interface StaticRows {
  readonly width: number;
  /** The rows of `ids`, one after the other. */
  rowsOf(ids: ArrayLike<number>): Float32Array;
}

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
  const tensors = pieces(model, GRAPH).flatMap((graph) => pieces(graph, INITIALIZER));
  return new Map(
    tensors.map((tensor) => {
      const [name = new Uint8Array()] = pieces(tensor, NAME);
      const [bytes = new Uint8Array()] = pieces(tensor, RAW_DATA);
      return [new TextDecoder().decode(name), bytes];
    }),
  );
}

function pieces(message: Uint8Array, number: number): Uint8Array[] {
  return readFields(message).flatMap(({ no, kind, value }) => (no === number && kind === "bytes" ? [value] : []));
}
