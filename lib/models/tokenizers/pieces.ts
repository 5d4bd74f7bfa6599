import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ModelCard, modelCard } from "../cards/card.ts";
import { SHIPPED_MODELS } from "../cards/registry.ts";
import { BLOCK, fourBit, fourBitBytes } from "../runtime/four-bit.ts";
import { textOf, unusable } from "../runtime/open-session.ts";
import { createPieceTokenizer, PADDING, type PieceTokenizer } from "./piece-tokenizer.ts";
import { readVerified } from "../cards/verified-file.ts";

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
    if (width % BLOCK !== 0 || rows.length !== fourBitBytes([tokenizer.size, width])) {
      throw new Error("rows.bin does not hold one row for each piece");
    }
    return { tokenizer, width, rowsOf: rowReader(rows, width) };
  } catch (cause) {
    throw unusable(card, cause);
  }
}

/** The folder of the pieces `name`: beside the model's folder `dir`, else among the shipped models. */
function sharedFolder(dir: string, name: string): string {
  const beside = join(dirname(dir), name);
  return existsSync(join(beside, "model.json")) ? beside : join(SHIPPED_MODELS, name);
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
  const packed = fourBit(bytes);
  return (ids) => {
    const out = new Float32Array(ids.length * width);
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place] ?? PADDING;
      if (id !== PADDING) packed.unpack(id * blocks, blocks, out, place * width);
    }
    return out;
  };
}
