import { join } from "node:path";
import { creditsOf, isOwnCredit } from "@isnad/lib/stories";
import { cleanText, codePointSlice } from "@isnad/lib/text";
import { entriesHash } from "../corpus.ts";
import { readJsonLines } from "../retrieval-sets.ts";
import judged from "./credits-judged.json" with { type: "json" };

/** Papers that the articles of the files are of, by the first letters of their ids. */
const PAPERS: Readonly<Record<string, string>> = { BB: "bbc", CN: "cnn", JA: "Jawhara FM", bb: "bbc" };

/**
 * Measures the credits of sentences of real news against those that were judged by reading, as a harmonic mean over
 * names (F1). The sentences stand in the data; what is kept is where, and the names. `news` is the folder of the files.
 */
export function measureCredits(news: string) {
  const wanted = new Set(judged.map(({ id }) => id));
  const texts = new Map<string, string>();
  for (const file of new Set(judged.map((each) => each.file)))
    for (const { id, text } of readJsonLines(join(news, `${file}.jsonl`)))
      if (wanted.has(String(id))) texts.set(String(id), cleanText(String(text)));
  let [right, given, all] = [0, 0, 0];
  const predictions: string[] = [];
  for (const { id, start, end, names } of judged) {
    const own = [PAPERS[id.slice(0, 2)] ?? ""];
    const sentence = codePointSlice(texts.get(id) ?? "", start, end);
    const credits = creditsOf(sentence).filter((credit) => !isOwnCredit(credit, own));
    const hits = credits.filter(({ name }) => names.some((each) => each === name));
    right += hits.length;
    given += credits.length;
    all += names.length;
    if (hits.length !== names.length || hits.length !== credits.length)
      predictions.push(`credits\t${id}\t${credits.map(({ name }) => name).join(", ")}\t${names.join(", ")}`);
  }
  return {
    figures: { F1: (2 * right) / (given + all) },
    size: judged.length,
    predictions,
    corpus: entriesHash(judged),
  };
}
