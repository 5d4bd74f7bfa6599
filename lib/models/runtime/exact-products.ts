import { readFile } from "node:fs/promises";
import { fileURLToPath, URL } from "node:url";
import { loadOnnxruntime } from "./onnxruntime.ts";

const GRAPH = fileURLToPath(new URL("./largest-products.onnx", import.meta.url));

/** Shape of what the graph takes. */
const [ROWS, DEPTH] = [4, 64];
const LARGEST_BYTE = 255;
const LARGEST_WEIGHT = 127;

let answer: Promise<boolean> | undefined;

/**
 * Whether onnxruntime adds products of uint8 and int8 exactly on this processor, as with VNNI. Without it two products
 * are added in 16 bits, and sums of large ones are cut off. Asked once a thread, by a graph of the largest products.
 */
export function addsExactly(): Promise<boolean> {
  answer ??= largestSums().then((sums) => sums.every((sum) => sum === DEPTH * LARGEST_BYTE * LARGEST_WEIGHT));
  return answer;
}

async function largestSums(): Promise<Float32Array> {
  const { InferenceSession, Tensor } = await loadOnnxruntime();
  const session = await InferenceSession.create(await readFile(GRAPH), { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const bytes = new Uint8Array(ROWS * DEPTH).fill(LARGEST_BYTE);
  const { sums } = await session.run({ bytes: new Tensor("uint8", bytes, [ROWS, DEPTH]) });
  await session.release();
  if (!(sums?.data instanceof Float32Array)) throw new TypeError("the graph of products gave no sums");
  return sums.data;
}
