import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { BARE } from "../../text/mod.ts";

/** Stems of the other language for a stem, with shares that sum to one at most. */
export type Options = readonly { stem: string; share: number }[];

/** An expression that words begin with: how many words it takes, and the stems that it is in the other language. */
type Expression = { length: number; stems: readonly string[] };

/** Translations between Arabic and English by stems, as `lib/text` makes them, in both directions at once. */
export type Dictionary = {
  /**
   * Returns what a stem is in the other language, or an Arabic word without article after {@link BARE}, the likeliest
   * first; empty for one that is not there.
   */
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
 * tabs. A line that begins with {@link BARE} is of one word of a stem alone, and for Arabic queries only. A line of
 * `expressions` is Arabic stems, a tab, English stems. Every thread that searches makes one: a line is taken apart when
 * somebody asks for a word of it.
 */
export function createDictionary(words: string, expressions: string): Dictionary {
  const byArabic = new Map<string, string>();
  const byEnglish = new Map<string, string[]>();
  for (const line of words.split("\n")) {
    const afterStem = line.indexOf("\t");
    const options = line.indexOf("\t", afterStem + 1) + 1;
    if (options === 0 || options === line.length) continue;
    byArabic.set(line.slice(0, afterStem), line);
    if (line.startsWith(BARE)) continue;
    for (let start = options; start < line.length; ) {
      const space = line.indexOf(" ", start);
      const end = space === -1 ? line.length : space;
      const english = line.slice(start, line.lastIndexOf(":", end));
      const lines = byEnglish.get(english);
      if (lines === undefined) byEnglish.set(english, [line]);
      else if (lines.at(-1) !== line) lines.push(line);
      start = end + 1;
    }
  }
  const read = new Map<string, Options>();
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
    options(stem) {
      const known = read.get(stem);
      if (known !== undefined) return known;
      const lines = byEnglish.get(stem);
      const line = byArabic.get(stem);
      const options = lines !== undefined ? intoArabic(stem, lines) : line !== undefined ? rowOf(line).options : [];
      if (options.length > 0) read.set(stem, options);
      return options;
    },
    expressionAt(stems) {
      for (let length = Math.min(LONGEST, stems.length); length > 0; length--) {
        const found = bySequence.get(stems.slice(0, length).join(" "));
        if (found !== undefined) return { length, stems: found };
      }
      return undefined;
    },
  };
}

function rowOf(line: string) {
  const [stem = "", logarithm = "0", options = ""] = line.split("\t");
  return {
    stem,
    count: Math.exp(Number(logarithm) / 10),
    options: options.split(" ").map((option) => {
      const colon = option.lastIndexOf(":");
      return { stem: option.slice(0, colon), share: Number(option.slice(colon + 1)) / 100 };
    }),
  };
}

/** The stems whose lines name an English one, each by how often it means that one. */
function intoArabic(english: string, lines: readonly string[]): Options {
  const counted = lines.flatMap((line) => {
    const { stem, count, options } = rowOf(line);
    return options.filter((option) => option.stem === english).map(({ share }) => ({ stem, share: share * count }));
  });
  const sum = counted.reduce((total, { share }) => total + share, 0);
  return counted
    .map(({ stem, share }) => ({ stem, share: share / sum }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST)
    .filter(({ share }) => share >= LEAST);
}

const LEXICON = new URL("../../../nlp/lexicon/", import.meta.url);
let loaded: Dictionary | undefined;

/** The dictionary that ships with the product; read at the first call. */
export function sharedDictionary(): Dictionary {
  const read = (name: string) => readFileSync(new URL(name, LEXICON), "utf8");
  loaded ??= createDictionary(read("translations.tsv"), read("expressions.tsv"));
  return loaded;
}
