const ARABIC = /^(?=\p{Script=Arabic})\p{L}/u;
const PREFIXES = ["ال", "لل", "بال", "كال", "ب", "ل", "ك"];

/**
 * The row of the most frequent known word that is left of an Arabic word when conjunction, preposition or article are taken
 * off; -1 when none is known. `rank` numbers the known words from the most frequent one, 0.
 */
export function stemRow(word: string, rank: ReadonlyMap<string, number>): number {
  if (!ARABIC.test(word)) return -1;
  let best = -1;
  const consider = (rest: string): void => {
    const row = rest.length >= 3 ? rank.get(rest) : undefined;
    if (row !== undefined && (best < 0 || row < best)) best = row;
  };
  const strip = (base: string): void => {
    for (const prefix of PREFIXES) if (base.startsWith(prefix)) consider(base.slice(prefix.length));
  };
  strip(word);
  if (word.startsWith("و") || word.startsWith("ف")) {
    consider(word.slice(1));
    strip(word.slice(1));
  }
  return best;
}
