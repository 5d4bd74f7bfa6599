import { Buffer } from "node:buffer";
import { at, copied, memoize } from "../../std/mod.ts";

/** Longest cluster, in bytes of UTF-8, that is looked up as a whole. */
const LONGEST = 5;
const CACHED_CLUSTERS = 20_000;
const LONGEST_CACHED = 8;

/**
 * A normaliser by a map of SentencePiece in base64: the bytes of a double-array trie (Aoe 1989; as in Darts-clone),
 * then the replacements, each ended by a zero. Grapheme clusters of less than six bytes are looked up as a whole, all
 * others code point by code point; of the entries that begin a cluster the shortest counts. @throws Error when the map
 * is damaged
 */
export function createPrecompiled(charsmap: string): (text: string) => string {
  const bytes = Buffer.from(charsmap, "base64");
  if (bytes.length < 4) return (text) => text; // an empty map changes nothing
  const size = bytes.readUInt32LE(0);
  if (size % 4 !== 0 || size === 0 || size + 4 > bytes.length) throw new Error("the map of characters is damaged");
  const units = Uint32Array.from({ length: size / 4 }, (_, at) => bytes.readUInt32LE(4 + at * 4));
  const replacements = bytes.subarray(4 + size);

  const lookUp = (part: string): string | undefined => {
    let node = offsetOf(at(units, 0));
    for (const byte of Buffer.from(part)) {
      if (byte === 0) return undefined;
      node ^= byte;
      const unit = at(units, node);
      if ((unit & 0x800000ff) >>> 0 !== byte) return undefined;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) {
        const from = at(units, node) & 0x7fffffff;
        const end = replacements.indexOf(0, from);
        return replacements.toString("utf8", from, end < 0 ? replacements.length : end);
      }
    }
    return undefined;
  };
  const replaced = (cluster: string): string => {
    const whole = Buffer.byteLength(cluster) <= LONGEST ? lookUp(cluster) : undefined;
    if (whole !== undefined) return whole;
    let out = "";
    for (const point of cluster) out += lookUp(point) ?? point;
    return out;
  };

  const replacedOnce = memoize((cluster) => copied(replaced(cluster)), {
    capacity: CACHED_CLUSTERS,
    longest: LONGEST_CACHED,
  });
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  return (text) => {
    let out = "";
    for (const { segment } of graphemes.segment(text)) out += replacedOnce(segment);
    return out;
  };
}

/** Where a unit of the trie leads. */
function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}
