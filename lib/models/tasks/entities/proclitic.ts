const CONJUNCTIONS = ["و", "ف"];
const PREPOSITIONS = ["ب", "ل", "ك"];
const CUTS = [
  ...CONJUNCTIONS,
  ...PREPOSITIONS,
  ...CONJUNCTIONS.flatMap((conjunction) => PREPOSITIONS.map((preposition) => conjunction + preposition)),
];

/**
 * How much nearer to the most frequent word the rest must stand than the word: names like ليلى and فيصل are seldomer
 * than the verbs they hold. By the names of ANERcorp; ف is seldom written onto one.
 */
const MORE_FREQUENT = 4;
const MORE_FREQUENT_AFTER_FA = 12;

/** What stands before a name in its first word: how many letters, and the word without them. */
export type Proclitic = { letters: number; rest: string };

/**
 * The conjunction and preposition written onto an Arabic word (folded), where the word without them is known and far
 * more frequent than with them: `وفرنسا`, `بالعراق`, `للسعودية` (whose rest gets its alef back), but not `بغداد`.
 * `rank` numbers the known words from the most frequent one.
 */
export function procliticOf(word: string, rank: ReadonlyMap<string, number>): Proclitic | undefined {
  let proclitic: Proclitic | undefined;
  const own = rank.get(word) ?? Number.POSITIVE_INFINITY;
  let best = Number.POSITIVE_INFINITY;
  for (const cut of CUTS) {
    if (!word.startsWith(cut)) continue;
    const bare = word.slice(cut.length);
    const times = cut.startsWith("ف") ? MORE_FREQUENT_AFTER_FA : MORE_FREQUENT;
    for (const rest of cut.endsWith("ل") && bare.startsWith("ل") ? [`ا${bare}`, bare] : [bare]) {
      const row = rest.length >= 3 ? rank.get(rest) : undefined;
      if (row === undefined || row >= best || row * times >= own) continue;
      best = row;
      proclitic = { letters: cut.length, rest };
    }
  }
  return proclitic;
}
