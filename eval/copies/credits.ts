import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { creditsOf, isOwnCredit } from "@isnad/lib/stories";
import { cleanText, codePointSlice } from "@isnad/lib/text";
import { entriesHash } from "../task.ts";
import { readJsonLines } from "../retrieval-sets.ts";
import judged from "./credits-judged.json" with { type: "json" };

/** Papers that the articles of the files are of, by the first letters of their ids. */
const PAPERS: Readonly<Record<string, readonly string[]>> = {
  BB: ["bbc"],
  bb: ["bbc"],
  CN: ["cnn"],
  cn: ["cnn"],
  JA: ["Jawhara FM"],
  SK: ["Sky News Arabia", "Sky News"],
  AL: ["Al Arabiya"],
  re: ["Reuters"],
};

/** A text with the names that it credits by reading. */
type Labelled = {
  id: string;
  text: string;
  /** Each the ways that a name may be given in. */
  names: readonly (readonly string[])[];
  /** Names that neither count as right nor as wrong. */
  doubtful: readonly string[];
};

/** Names the files of labelled articles: those to choose by, and those to measure. */
const ARTICLES = { chosenBy: "credits-articles.tsv", heldOut: "credits-held-out.tsv" };

/**
 * Measures the credits of sentences of real news against those that were judged by reading, as a harmonic mean over
 * names (F1). The sentences stand in the data; what is kept is where, and the names. `news` is the folder of the files.
 */
export function measureCredits(news: string) {
  const texts = textsOf(news, judged);
  const labelled = judged.map(({ id, start, end, names }): Labelled => {
    const text = codePointSlice(texts.get(id) ?? "", start, end);
    return { id, text, names: names.map((name) => [name]), doubtful: [] };
  });
  return { ...scoreCredits(labelled), corpus: entriesHash(judged) };
}

/** Measures the credits of whole articles, whose names were labelled by reading. */
export function measureArticleCredits(news: string, part: keyof typeof ARTICLES) {
  const rows = readLabels(readFileSync(fileURLToPath(new URL(ARTICLES[part], import.meta.url)), "utf8"));
  const texts = textsOf(news, rows);
  return { ...scoreCredits(rows.map((row) => ({ ...row, text: texts.get(row.id) ?? "" }))), corpus: entriesHash(rows) };
}

/** Reads lines of a file, an id, names by `; ` (ways to give one by `=`), and doubtful names. */
export function readLabels(lines: string): (Omit<Labelled, "text"> & { file: string })[] {
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [file = "", id = "", names = "", doubtful = ""] = line.split("\t");
      return { file, id, names: split(names).map((name) => name.split("=")), doubtful: split(doubtful) };
    });
}

const split = (names: string): string[] => (names === "" ? [] : names.split("; "));

function textsOf(news: string, wanted: readonly { id: string; file: string }[]): Map<string, string> {
  const ids = new Set(wanted.map(({ id }) => id));
  const texts = new Map<string, string>();
  for (const file of new Set(wanted.map((each) => each.file)))
    for (const { id, text } of readJsonLines(join(news, `${file}.jsonl`)))
      if (ids.has(String(id))) texts.set(String(id), cleanText(String(text)));
  return texts;
}

/** Returns the F1 of the credits of texts, and what is wrong and missing. */
export function scoreCredits(labelled: readonly Labelled[]) {
  let [right, given, all] = [0, 0, 0];
  const predictions: string[] = [];
  for (const { id, text, names, doubtful } of labelled) {
    const own = PAPERS[id.slice(0, 2)] ?? [];
    const credits = creditsOf(text).filter((credit) => !isOwnCredit(credit, own) && !doubtful.includes(credit.name));
    const hits = names.filter((ways) => credits.some(({ name }) => ways.includes(name))).length;
    right += hits;
    given += credits.length;
    all += names.length;
    if (hits !== names.length || hits !== credits.length)
      predictions.push(`credits\t${id}\t${credits.map(({ name }) => name).join(", ")}\t${names.join(", ")}`);
  }
  return { figures: { F1: (2 * right) / (given + all) }, size: labelled.length, predictions };
}
