import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Forest, readForest } from "./forest.ts";

/** The block model and what its card says of its use. */
export interface BlockModel {
  readonly forest: Forest;
  /** Blocks from this probability on belong to the article. */
  readonly threshold: number;
  /** Names of its columns, in order. */
  readonly features: readonly string[];
}

let loaded: BlockModel | undefined;

/** The shipped block model, read once. Throws when its files are missing or damaged. */
export function blockModel(): BlockModel {
  loaded ??= read();
  return loaded;
}

function read(): BlockModel {
  const card: { threshold: number; features: string[] } = JSON.parse(
    readFileSync(fileURLToPath(new URL("./model/blocks.json", import.meta.url).href), "utf8"),
  );
  const forest = readForest(readFileSync(fileURLToPath(new URL("./model/blocks.bin", import.meta.url).href)));
  if (forest.features !== card.features.length) throw new RangeError("the block model does not fit its card");
  return { forest, threshold: card.threshold, features: card.features };
}
