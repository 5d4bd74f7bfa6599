/** N-grams of one word at most; those of its beginning are kept. */
export const MAX_GRAMS = 40;

const encoder = new TextEncoder();

/** FNV-1a with bytes taken as signed, as fastText hashes n-grams. */
function hash(bytes: Uint8Array): number {
  let h = 2166136261;
  for (const byte of bytes) h = Math.imul(h ^ ((byte << 24) >> 24), 16777619);
  return h >>> 0;
}

/**
 * The buckets (0 to `buckets` - 1) of the character 3- to 5-grams of `<word>`. After Bojanowski et al., "Enriching Word
 * Vectors with Subword Information" (2017).
 */
export function gramBuckets(word: string, buckets: number): number[] {
  const characters = Array.from(`<${word.slice(0, 64)}>`);
  const found: number[] = [];
  for (let i = 0; i < characters.length; i++) {
    for (let n = 3; n <= 5 && i + n <= characters.length; n++) {
      found.push(hash(encoder.encode(characters.slice(i, i + n).join(""))) % buckets);
      if (found.length === MAX_GRAMS) return found;
    }
  }
  return found;
}
