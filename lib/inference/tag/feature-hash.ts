/** Where the hash of every feature begins: FNV-1a of 32 bits, over UTF-16 units. */
const BASIS = 2166136261;
const PRIME = 16777619;

/** Goes on with the hash of what came before. */
export function hashOn(hash: number, text: string): number {
  let h = hash;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), PRIME);
  return h >>> 0;
}

/** The hash of a feature's name, or of a whole feature. */
export function hashOf(text: string): number {
  return hashOn(BASIS, text);
}
