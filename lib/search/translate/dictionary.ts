/** Stems of the other language for a stem, with shares that sum to one at most. */
export type Options = readonly { stem: string; share: number }[];

/** An expression that words begin with: how many words it takes, and the stems that it is in the other language. */
export type Expression = { length: number; stems: readonly string[] };

/** Translations between Arabic and English by stems, as `lib/text` makes them, in both directions at once. */
export type Dictionary = {
  /** What a stem is in the other language, the likeliest first; empty for one that is not there. */
  options(stem: string): Options;
  /** The longest expression that these stems begin with. */
  expressionAt(stems: readonly string[]): Expression | undefined;
};

/** Translations into Arabic that are kept: an English word has many, most of them of other meanings. */
const MOST = 8;
const LEAST = 0.02;

/** Words of the longest expression. */
const LONGEST = 6;

/**
 * Makes the dictionary of two tables. A line of `words` is an Arabic stem, ten times the natural logarithm of one more
 * than its count in the news, and English stems, each with its share in hundredths, as `lake:96`; fields are parted by
 * tabs. A line of `expressions` is Arabic stems, a tab, English stems.
 */
export function createDictionary(words: string, expressions: string): Dictionary {
  const rows = new Map<string, { stem: string; share: number }[]>();
  const back = new Map<string, { stem: string; share: number }[]>();
  for (const line of words.split("\n")) {
    const [stem = "", logarithm = "0", options = ""] = line.split("\t");
    if (options === "") continue;
    const count = Math.exp(Number(logarithm) / 10);
    const row = options.split(" ").map((option) => {
      const colon = option.lastIndexOf(":");
      return { stem: option.slice(0, colon), share: Number(option.slice(colon + 1)) / 100 };
    });
    rows.set(stem, row);
    for (const { stem: english, share } of row) {
      const list = back.get(english);
      if (list === undefined) back.set(english, [{ stem, share: share * count }]);
      else list.push({ stem, share: share * count });
    }
  }
  for (const [english, list] of back) rows.set(english, shares(list));
  const bySequence = new Map<string, string[]>();
  for (const line of expressions.split("\n")) {
    const [arabic = "", english = ""] = line.split("\t");
    if (english === "") continue;
    for (const [from, to] of [
      [arabic, english],
      [english, arabic],
    ] as const) {
      const known = bySequence.get(from) ?? [];
      bySequence.set(from, [...known, ...to.split(" ").filter((stem) => !known.includes(stem))]);
    }
  }
  return {
    options: (stem) => rows.get(stem) ?? [],
    expressionAt(stems) {
      for (let length = Math.min(LONGEST, stems.length); length > 0; length--) {
        const found = bySequence.get(stems.slice(0, length).join(" "));
        if (found !== undefined) return { length, stems: found };
      }
      return undefined;
    },
  };
}

function shares(list: readonly { stem: string; share: number }[]): { stem: string; share: number }[] {
  const sum = list.reduce((total, { share }) => total + share, 0);
  return list
    .map(({ stem, share }) => ({ stem, share: share / sum }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST)
    .filter(({ share }) => share >= LEAST);
}
