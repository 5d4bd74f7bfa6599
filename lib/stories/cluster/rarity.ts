import { readFileSync } from "node:fs";
import { URL } from "node:url";

/** Steps of a level to a doubling of rarity, as `build-story-stems.ts` writes them. */
const STEPS = 2;

/** Rarity of a stem that the news hardly has: one article in 4,096. */
const RAREST = 12;

const FILE = new URL("../../../nlp/lexicon/stories/frequent-stems.tsv", import.meta.url);

let loaded: ReadonlyMap<string, number> | undefined;

/**
 * Returns how rare a stem is in the news, in bits: minus the binary logarithm of the share of articles that hold it.
 */
export function rarity(stem: string): number {
  loaded ??= readRarities(readFileSync(FILE, "utf8"));
  return loaded.get(stem) ?? RAREST;
}

/** Reads lines of a level, a tab, and the stems of that level. */
function readRarities(text: string): Map<string, number> {
  const rarities = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [level = "", stems = ""] = line.split("\t");
    for (const stem of stems.split(" ")) if (stem !== "") rarities.set(stem, Number(level) / STEPS);
  }
  return rarities;
}
