import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { createMorphology, type Morphology } from "./morphology.ts";

const FILE = new URL("../../nlp/lexicon/arabic-stems.tsv", import.meta.url);
let loaded: Morphology | undefined;

/** The morphology over the lexicon that ships with the product; read at the first call. */
export function arabicMorphology(): Morphology {
  loaded ??= createMorphology(readFileSync(FILE, "utf8"));
  return loaded;
}
