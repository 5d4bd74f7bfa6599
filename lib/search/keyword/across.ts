import { BoundedMap } from "../../std/mod.ts";
import { soundKey } from "../../text/mod.ts";
import { sharedDictionary } from "../translate/load.ts";
import { type Script, scriptOf, translatableWords, translate } from "../translate/translate.ts";

/** What an engine looks for in documents of the other language than a query's. */
export type AcrossTerms = {
  /** Stems that mean the same as words of the query. */
  stems: readonly string[];
  /** How words of the query sound that may be names, as {@link soundToken} has it. */
  sounds: readonly string[];
};

const OTHER: Readonly<Record<Script, Script>> = { arabic: "latin", latin: "arabic" };

/** Words whose sounds are remembered: each takes some microseconds, and texts repeat most of theirs. */
const REMEMBERED = 50_000;
const known = new BoundedMap<string, string>(REMEMBERED);

/**
 * How a word in normal form sounds, with the script it is written in, in letters of ASCII; empty for numbers and words
 * of a single consonant.
 */
export function soundToken(form: string): string {
  const remembered = known.get(form);
  if (remembered !== undefined) return remembered;
  const script = scriptOf(form);
  const key = script === undefined ? "" : soundKey(form);
  const token = key === "" || script === undefined ? "" : tokenOf(script, key);
  known.set(form, token);
  return token;
}

/** The token of words in this script with this key of sound. */
export function tokenOf(script: Script, key: string): string {
  return (script === "arabic" ? "a" : "l") + key;
}

/** The terms of a query in the other language. */
export function acrossTerms(query: string): AcrossTerms {
  const stems = new Set<string>();
  const sounds = new Set<string>();
  const words = translatableWords(query);
  for (const from of ["arabic", "latin"] as const) {
    for (const { options, name } of translate(words, from, sharedDictionary())) {
      for (const { stem } of options) stems.add(stem);
      const key = name === undefined ? "" : soundKey(name);
      if (key !== "") sounds.add(tokenOf(OTHER[from], key));
    }
  }
  return { stems: [...stems], sounds: [...sounds] };
}
