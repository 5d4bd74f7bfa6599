import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { createDictionary, type Dictionary } from "./dictionary.ts";

const LEXICON = new URL("../../../nlp/lexicon/", import.meta.url);
let loaded: Dictionary | undefined;

/** The dictionary that ships with the product; read at the first call. */
export function sharedDictionary(): Dictionary {
  const read = (name: string) => readFileSync(new URL(name, LEXICON), "utf8");
  loaded ??= createDictionary(read("translations.tsv"), read("expressions.tsv"));
  return loaded;
}
