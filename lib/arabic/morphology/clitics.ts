import type { Features } from "./lexicon.ts";
import { vowelled } from "./written-forms.ts";

/** A clitic of a word: its vowelled form and what it is. */
export type Clitic = { form: string; type: string };

const PROCLITICS = ["prc3", "prc2", "prc1", "prc0"] as const;

/** Forms that the lexicon's names do not begin with. */
const FORMS: Readonly<Record<string, string>> = { Al: "Al" };

/** Pronouns joined to the end of a word, by person, gender and number. */
const PRONOUNS: Readonly<Record<string, string>> = {
  "1s": "iy",
  "1p": "naA",
  "2ms": "ka",
  "2fs": "ki",
  "2d": "kumaA",
  "2mp": "kum",
  "2fp": "kun~a",
  "3ms": "hu",
  "3fs": "haA",
  "3d": "humaA",
  "3mp": "hum",
  "3fp": "hun~a",
};

/** Returns the clitics before a word, in order: `bi_prep` is بِ, a preposition. */
export function procliticsOf(features: Features): Clitic[] {
  return PROCLITICS.flatMap((name) => {
    const value = features[name] ?? "0";
    if (value === "0" || value === "na") return [];
    const [form = "", type = ""] = value.split("_");
    return [{ form: vowelled(FORMS[form] ?? form), type }];
  });
}

/** Returns the pronouns after a word: `3ms_poss` is هُ, a possessive. */
export function encliticsOf(features: Features): Clitic[] {
  return ["enc0", "enc1"].flatMap((name) => {
    const value = features[name] ?? "0";
    if (value === "0" || value === "na") return [];
    const [person = "", type = ""] = value.split("_");
    const pronoun = person === "1s" && type === "dobj" ? "niy" : (PRONOUNS[person] ?? person);
    return [{ form: vowelled(pronoun), type }];
  });
}

/** Clitics of a word that no lexicon has, in the order in which they can stand before it. */
const GUESSED: readonly (readonly (readonly [letters: string, clitic: Clitic])[])[] = [
  [
    ["و", { form: "وَ", type: "conj" }],
    ["ف", { form: "فَ", type: "conj" }],
  ],
  [
    ["ب", { form: "بِ", type: "prep" }],
    ["ل", { form: "لِ", type: "prep" }],
    ["ك", { form: "كَ", type: "prep" }],
  ],
  [
    ["ال", { form: "ال", type: "det" }],
    ["ل", { form: "ال", type: "det" }],
  ],
];

/** Returns the clitics that the letters before a word stand for: `وبال` is وَ, بِ and the article. */
export function guessedProclitics(before: string): Clitic[] {
  let rest = before;
  return GUESSED.flatMap((choices) => {
    const [letters = "", clitic] = choices.find(([each]) => rest.startsWith(each)) ?? [];
    rest = rest.slice(letters.length);
    return clitic === undefined ? [] : [clitic];
  });
}
