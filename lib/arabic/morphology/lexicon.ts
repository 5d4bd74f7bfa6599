import { lemmaId } from "./lemma-id.ts";

/** A word of the lexicon: its form in the dictionary and what is said of it there, in Buckwalter's transliteration. */
export type Lemma = { id: number; form: string; pos: string; root: string; gloss: string; cost: number };

/** A stem: its vowelled form, the number of its signature, and its lemma. */
export type Stem = { form: string; signature: number; lemma: number };

/** The lemmas and stems of MSA. */
export type Lexicon = {
  lemma(id: number): Lemma;
  /** The stems that are written so, in normal form. */
  stems(letters: string): readonly Stem[];
  /** How often a word means a place for once that it means something else; `word`: in normal form, article included. */
  placeOdds(word: string): number | undefined;
  /** The lemma of this number, as {@link lemmaId} makes it; undefined where there is none. */
  lemmaById(id: number): Lemma | undefined;
  /** The stems of a lemma. */
  stemsOf(lemma: Lemma): Stem[];
};

/** What is added to the counts of a word as a place and as something else: of what was seen once little is known. */
const PRIOR = { place: 0.5, other: 1 };

/**
 * Reads the tables `lemmas.tsv`, `stems.tsv` and `places.tsv`; lines of the first two are taken apart when they are
 * first needed.
 */
export function createLexicon(lemmaTable: string, stemTable: string, placeTable = ""): Lexicon {
  const places = new Map(
    placeTable.split("\n").map((line) => {
      const [word = "", place = "0", other = "0"] = line.split("\t");
      return [word, (Number(place) + PRIOR.place) / (Number(other) + PRIOR.other)] as const;
    }),
  );
  const lemmaLines = lemmaTable.split("\n");
  const lemmas = new Map<number, Lemma>();
  const lines = new Map<string, string | Stem[]>();
  for (let at = 0; at < stemTable.length; ) {
    const tab = stemTable.indexOf("\t", at);
    const end = stemTable.indexOf("\n", tab);
    if (tab < 0 || end < 0) break;
    lines.set(stemTable.slice(at, tab), stemTable.slice(tab + 1, end));
    at = end + 1;
  }
  let numbers: Map<number, number> | undefined;
  let byLemma: Map<number, string[]> | undefined;

  function lemma(id: number): Lemma {
    let known = lemmas.get(id);
    if (known === undefined) {
      const [form = "", pos = "", root = "", gloss = "", tenths = "0"] = (lemmaLines[id] ?? "").split("\t");
      known = { id, form, pos, root, gloss, cost: Number(tenths) / 10 };
      lemmas.set(id, known);
    }
    return known;
  }

  return {
    lemma,
    placeOdds: (word) => places.get(word),
    lemmaById(number) {
      numbers ??= new Map(lemmaLines.flatMap((line, id) => (line === "" ? [] : [[lemmaId(lemma(id)), id] as const])));
      const id = numbers.get(number);
      return id === undefined ? undefined : lemma(id);
    },
    stemsOf({ id }) {
      if (byLemma === undefined) {
        byLemma = new Map();
        for (const line of stemTable.split("\n")) {
          for (const entry of line.slice(line.indexOf("\t") + 1).split(";")) {
            const stem = stemOf(entry);
            byLemma.set(stem.lemma, [...(byLemma.get(stem.lemma) ?? []), entry]);
          }
        }
      }
      return (byLemma.get(id) ?? []).map(stemOf);
    },
    stems(letters) {
      const line = lines.get(letters);
      if (line === undefined) return [];
      if (typeof line !== "string") return line;
      const parsed = line.split(";").map(stemOf);
      lines.set(letters, parsed);
      return parsed;
    },
  };
}

function stemOf(entry: string): Stem {
  const [form = "", signature = "", lemma = ""] = entry.split(",");
  return { form, signature: Number.parseInt(signature, 36), lemma: Number.parseInt(lemma, 36) };
}
