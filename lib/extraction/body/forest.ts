import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Boosted decision trees: the sum of one leaf of each tree, put through the logistic function, is a probability. */
interface Forest {
  readonly features: number;
  /** First node of each tree in the arrays below. */
  readonly roots: Int32Array;
  readonly feature: Uint16Array;
  readonly threshold: Float32Array;
  /** Says where to go on `value <= threshold` and otherwise; below 0 it is the leaf `-1 - index`. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leaves: Float32Array;
}

const MAGIC = 0x31_46_53_49; // "ISF1"
const HEADER = 5;

/**
 * Reads a forest as `lib/extraction/training/train.py` writes it: little-endian uint32 (magic, features, trees, nodes,
 * leaves), then roots, left, right (int32), threshold, leaves (float32), feature (uint16). Throws RangeError for
 * anything else.
 */
export function readForest(bytes: Uint8Array): Forest {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  if (buffer.byteLength < HEADER * 4) throw new RangeError("the forest file is cut short");
  const [magic, features = 0, trees = 0, nodes = 0, leaves = 0] = new Uint32Array(buffer, 0, HEADER);
  if (magic !== MAGIC) throw new RangeError("not a forest file");
  if (buffer.byteLength !== HEADER * 4 + trees * 4 + nodes * 14 + leaves * 4) {
    throw new RangeError("the forest file is cut short");
  }
  let offset = HEADER * 4;
  const take = (bytesTaken: number) => {
    offset += bytesTaken;
    return offset - bytesTaken;
  };
  const forest = {
    features,
    roots: new Int32Array(buffer, take(trees * 4), trees),
    left: new Int32Array(buffer, take(nodes * 4), nodes),
    right: new Int32Array(buffer, take(nodes * 4), nodes),
    threshold: new Float32Array(buffer, take(nodes * 4), nodes),
    leaves: new Float32Array(buffer, take(leaves * 4), leaves),
    feature: new Uint16Array(buffer, take(nodes * 2), nodes),
  };
  const isPlace = (place: number) => place < nodes && place >= -leaves;
  const isSound = [forest.roots, forest.left, forest.right].every((places) => places.every(isPlace));
  if (!isSound || forest.feature.some((feature) => feature >= features)) {
    throw new RangeError("the forest file names nodes, leaves or features that it lacks");
  }
  return forest;
}

/** Returns the probability of each row of a table of `forest.features` columns, 0 to 1. */
export function predict(forest: Forest, table: Float32Array): Float32Array {
  const { features, roots, feature, threshold, left, right, leaves } = forest;
  const rows = table.length / features;
  const out = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const base = row * features;
    let sum = 0;
    for (const root of roots) {
      let node = root;
      while (node >= 0) {
        // readForest() has checked every index: what is undefined here is not a number, and goes nowhere else.
        const value = table[base + (feature[node] ?? 0)] ?? 0;
        node = (value <= (threshold[node] ?? 0) ? left[node] : right[node]) ?? -1;
      }
      sum += leaves[-1 - node] ?? 0;
    }
    out[row] = 1 / (1 + Math.exp(-sum));
  }
  return out;
}

/** The block model and what its card says of its use. */
interface BlockModel {
  readonly forest: Forest;
  /** Blocks from this probability on belong to the article. */
  readonly threshold: number;
  /** Names of its columns, in order. */
  readonly features: readonly string[];
}

let loaded: BlockModel | undefined;

/** Returns the shipped block model, read once. Throws when its files are missing or damaged. */
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
