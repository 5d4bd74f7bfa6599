import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelCard, modelCard } from "../models/card.ts";
import { textOf, unusable } from "../runtime/open-session.ts";
import { createPieceTokenizer, PADDING, type PieceTokenizer } from "./piece-tokenizer.ts";
import { sharedFolder } from "../models/shared-folder.ts";
import { readVerified } from "../models/verified-file.ts";

/**
 * What the contextual models share: pieces of words, and a row of weights for each, which a model takes as its input.
 */
export interface Pieces {
  readonly tokenizer: PieceTokenizer;
  /** Weights of a row. */
  readonly width: number;
  /** The rows of `ids`, one after the other; padding (id 0) is a row of zeros. */
  rowsOf(ids: ArrayLike<number>): Float32Array;
}

/** Weights of a block: it holds one scale, a float16, and half a byte for each of them. */
const BLOCK = 32;
const SCALE_BYTES = 2;
const BLOCK_BYTES = SCALE_BYTES + BLOCK / 2;

/**
 * Reads the pieces that a model's card names, from the folder beside the model's own or the shipped ones, after
 * checking their files.
 * @param dir the folder of the model
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadPieces(dir: string, model: ModelCard): Promise<Pieces> {
  const name = model.pieces ?? "";
  const folder = sharedFolder(dir, name);
  const card = await readCard(folder, model);
  const [rows, json] = await Promise.all([
    readVerified(folder, card, "rows.bin"),
    readVerified(folder, card, "tokenizer.json"),
  ]);
  const { dims: width = 0 } = card;
  try {
    const tokenizer = createPieceTokenizer(JSON.parse(textOf(json)));
    if (width % BLOCK !== 0 || rows.length !== tokenizer.size * (width / BLOCK) * BLOCK_BYTES) {
      throw new Error("rows.bin does not hold one row for each piece");
    }
    return { tokenizer, width, rowsOf: rowReader(rows, width) };
  } catch (cause) {
    throw unusable(card, cause);
  }
}

async function readCard(folder: string, model: ModelCard): Promise<ModelCard> {
  try {
    const card = modelCard.parse(JSON.parse(await readFile(join(folder, "model.json"), "utf8")));
    if (card.architecture !== "pieces") throw new Error(`${card.name} holds no pieces`);
    return card;
  } catch (cause) {
    throw unusable(model, cause);
  }
}

function rowReader(bytes: Uint8Array, width: number): (ids: ArrayLike<number>) => Float32Array {
  const blocks = width / BLOCK;
  const scales = scalesOf(bytes);
  return (ids) => {
    const out = new Float32Array(ids.length * width);
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place] ?? PADDING;
      if (id === PADDING) continue;
      for (let block = 0; block < blocks; block++) {
        const number = id * blocks + block;
        const scale = scales[number] ?? 0;
        const from = number * BLOCK_BYTES + SCALE_BYTES;
        const to = place * width + block * BLOCK;
        for (let half = 0; half < BLOCK / 2; half++) {
          const byte = bytes[from + half] ?? 0;
          out[to + half] = ((byte & 15) - 8) * scale;
          out[to + half + BLOCK / 2] = ((byte >> 4) - 8) * scale;
        }
      }
    }
    return out;
  };
}

function scalesOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scales = new Float32Array(bytes.length / BLOCK_BYTES);
  for (let block = 0; block < scales.length; block++) scales[block] = view.getFloat16(block * BLOCK_BYTES, true);
  return scales;
}
