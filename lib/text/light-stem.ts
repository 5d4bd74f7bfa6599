const PREFIXES = ["وال", "بال", "كال", "فال", "لل", "ال"];
const SUFFIXES = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];

/**
 * The light stem of an Arabic word in normal form: without conjunction, article, and the endings of number, gender and
 * possession. After Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval" (2007), light10.
 */
export function lightStem(word: string): string {
  let stem = word.length >= 4 && word.startsWith("و") ? word.slice(1) : word;
  const prefix = PREFIXES.find((p) => stem.startsWith(p) && stem.length - p.length >= 2);
  if (prefix !== undefined) stem = stem.slice(prefix.length);
  for (const suffix of SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length - suffix.length >= 2) stem = stem.slice(0, -suffix.length);
  }
  return stem;
}

/** What is left of a stem without its vowel letters, hamzas and h: equal for many spellings of a foreign name. */
export function consonants(stem: string): string {
  const bare = stem.replace(/[اويءئؤه]/g, "");
  return bare === "" ? stem : bare;
}
