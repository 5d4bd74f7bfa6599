import { createHash } from "node:crypto";
import { fold } from "@isnad/lib/text";

/** Bits in which the signatures of copies differ at most. */
const MAX_DISTANCE = 8;

/** Words that make one feature. */
const SHINGLE = 3;

/**
 * Returns whether two texts count as near duplicates by their 64-bit SimHash over runs of three words, as the platform
 * told copies before. After Charikar (2002), "Similarity estimation techniques from rounding algorithms".
 */
export function areNearBySimHash(text: string, other: string): boolean {
  let differing = 0;
  for (let bits = signature(text) ^ signature(other); bits > 0n; bits &= bits - 1n) differing++;
  return differing <= MAX_DISTANCE;
}

function signature(text: string): bigint {
  const words =
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const votes = new Int32Array(64);
  for (let at = 0; at < Math.max(1, words.length - SHINGLE + 1); at++) {
    const hash = hashOf(words.slice(at, at + SHINGLE).join(" "));
    for (let bit = 0; bit < 64; bit++) votes[bit] = (votes[bit] ?? 0) + (((hash >> BigInt(bit)) & 1n) === 1n ? 1 : -1);
  }
  return votes.reduceRight((bits, vote) => (bits << 1n) | (vote > 0 ? 1n : 0n), 0n);
}

function hashOf(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigUInt64LE();
}
