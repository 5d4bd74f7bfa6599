import type { InferenceSession } from "onnxruntime-node";
import { loadOnnxruntime } from "../../lib/models/runtime/onnxruntime.ts";
import type { Feeds } from "./session.ts";

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

/** Whether an input of this name is one that {@link transformerFeeds} can make up. */
export function isTransformerInput(name: string): boolean {
  return valueFor(name) !== undefined;
}

function valueFor(name: string): (() => number) | undefined {
  if (/mask/.test(name)) return () => 1;
  if (/type/.test(name)) return () => 0;
  return /ids/.test(name) ? () => FIRST_ID + Math.floor(Math.random() * IDS) : undefined;
}
