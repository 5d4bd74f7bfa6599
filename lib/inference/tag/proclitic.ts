const CONJUNCTIONS = ["و", "ف"];
const PREPOSITIONS = ["ب", "ل", "ك"];
const CUTS = [
  ...CONJUNCTIONS,
  ...PREPOSITIONS,
  ...CONJUNCTIONS.flatMap((conjunction) => PREPOSITIONS.map((preposition) => conjunction + preposition)),
];

/** What stands before a name in its first word: how many letters, and the word without them. */
export type Proclitic = { letters: number; rest: string };

/**
 * The conjunction and preposition written onto an Arabic word (folded), where the word without them is known and more frequent
 * than with them: `وفرنسا`, `بالعراق`, `للسعودية` (whose rest gets its alef back), but not `بغداد`. `rank` numbers the known words from the
 * most frequent one.
 */
export function procliticOf(word: string, rank: ReadonlyMap<string, number>): Proclitic | undefined {
  let found: Proclitic | undefined;
  let best = rank.get(word) ?? Number.POSITIVE_INFINITY;
  for (const cut of CUTS) {
    if (!word.startsWith(cut)) continue;
    const bare = word.slice(cut.length);
    const rest = cut.endsWith("ل") && bare.startsWith("ل") ? `ا${bare}` : bare;
    const row = rest.length >= 3 ? rank.get(rest) : undefined;
    if (row === undefined || row >= best) continue;
    best = row;
    found = { letters: cut.length, rest };
  }
  return found;
}
