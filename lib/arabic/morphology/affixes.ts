import { BoundedMap } from "../../std/mod.ts";
import { type Asked, type Conditions, type Features, holds, undecided, union } from "./lexicon.ts";
import { vowelled } from "./written-forms.ts";

/**
 * Holds what stands before a stem, or after it, as one piece; `letters`: its form as it is written, in normal form.
 */
export type Affix = { form: string; letters: string; asks: Asked; brings: Conditions; features: Features };

/** Affixes, each with its place in a list, by their letters. */
export type ByLetters = ReadonlyMap<string, readonly { affix: Affix; place: number }[]>;

/** The morphemes of a place after a stem, and the conditions that those of the places behind it can bring. */
type Step = { choices: readonly Affix[]; written: ByLetters; later: Conditions };

/**
 * The places after a stem in a row; `spells`: whether these letters can stand there, in normal form; `longest`: how
 * many letters there can be.
 */
export type Row = { steps: readonly Step[]; longest: number; spells(letters: string): boolean };

/** Letters of which a speller keeps whether it spells them. */
const REMEMBERED = 5_000;

const NOTHING: Affix = { form: "", letters: "", asks: [], brings: new Uint32Array(0), features: {} };

/** Returns every way to take one of each list, joined in order. */
export function products(lists: readonly (readonly Affix[])[]): Affix[] {
  return lists.reduce<Affix[]>(
    (before, list) => before.flatMap((head) => list.map((next) => joined(head, next))),
    [NOTHING],
  );
}

/** Returns the row of places of these morphemes. */
export function rowOf(lists: readonly (readonly Affix[])[], speller: Spellers): Row {
  const steps = lists.map((choices, place) => ({
    ...{ choices, written: byLetters(choices) },
    later: broughtBy(lists.slice(place + 1).flat()),
  }));
  const written = lists.map((list) => [...new Set(list.map(({ letters }) => letters))].sort());
  const longest = written.reduce((sum, list) => sum + Math.max(0, ...list.map(({ length }) => length)), 0);
  return { steps, longest, spells: speller(written) };
}

/** Makes what tells whether letters are one of each list in a row; for the same lists it is the same. */
type Spellers = (lists: readonly (readonly string[])[]) => (letters: string) => boolean;

/** Makes spellers, one for the same lists. */
export function createSpellers(): Spellers {
  const made = new Map<string, (letters: string) => boolean>();
  return (lists) => {
    const key = JSON.stringify(lists);
    const spells = made.get(key) ?? spellerOf(lists);
    made.set(key, spells);
    return spells;
  };
}

function spellerOf(lists: readonly (readonly string[])[]): (letters: string) => boolean {
  const sets = lists.map((list) => new Set(list));
  const lengths = lists.map((list) => [...new Set(list.map((each) => each.length))]);
  const spell = (letters: string, from: number, place: number): boolean => {
    const set = sets[place];
    if (set === undefined) return from === letters.length;
    for (const length of lengths[place] ?? []) {
      const to = from + length;
      if (to <= letters.length && set.has(letters.slice(from, to)) && spell(letters, to, place + 1)) return true;
    }
    return false;
  };
  const known = new BoundedMap<string, boolean>(REMEMBERED);
  return (letters) => {
    let can = known.get(letters);
    if (can === undefined) {
      can = spell(letters, 0, 0);
      known.set(letters, can);
    }
    return can;
  };
}

function broughtBy(affixes: readonly Affix[]): Conditions {
  return affixes.reduce<Conditions>((all, { brings }) => union(all, brings), NOTHING.brings);
}

/** Returns the first morphemes of a row that can follow a stem, by their letters. */
export function beginnings(stem: Pick<Affix, "asks" | "brings">, { steps }: Row): ByLetters {
  const [first] = steps;
  const begun = { ...NOTHING, ...stem };
  if (first !== undefined) return byLetters(extended(begun, first.choices, first.later));
  return byLetters(holds(stem.asks, [stem.brings]) ? [begun] : []);
}

/**
 * Returns what continues these beginnings of a row and is written so in all: one morpheme of each further place, joined
 * in order, whose conditions all hold. What nothing can complete is left at once: of hundreds of thousands of
 * combinations few are looked at.
 */
export function completions(begun: ByLetters, { steps }: Row, letters: string): Affix[] {
  const all = steps
    .slice(1)
    .reduce<readonly Affix[]>(
      (affixes, { written, later }) =>
        affixes.flatMap((before) => extended(before, fitting(written, letters, before.letters.length), later)),
      fitting(begun, letters, 0),
    );
  return all.filter((each) => each.letters === letters);
}

function byLetters(affixes: readonly Affix[]): ByLetters {
  return Map.groupBy(
    affixes.map((affix, place) => ({ affix, place })),
    ({ affix }) => affix.letters,
  );
}

/** Returns those that are written so from a place on, in the order of their list. */
function fitting(written: ByLetters, letters: string, from: number): Affix[] {
  const fits: { affix: Affix; place: number }[] = [];
  for (let to = from; to <= letters.length; to++) fits.push(...(written.get(letters.slice(from, to)) ?? []));
  return fits.sort((a, b) => a.place - b.place).map(({ affix }) => affix);
}

function extended(before: Affix, choices: readonly Affix[], later: Conditions): Affix[] {
  const found: Affix[] = [];
  for (const next of choices) {
    const brings = union(before.brings, next.brings);
    const asks = undecided(before.asks, brings, later);
    const own = asks && undecided(next.asks, brings, later);
    if (asks === undefined || own === undefined) continue;
    found.push({
      form: before.form + next.form,
      letters: before.letters + next.letters,
      asks: own.length === 0 ? asks : [...asks, ...own],
      brings,
      features: { ...before.features, ...next.features },
    });
  }
  return found;
}

function joined(head: Affix, next: Affix): Affix {
  return {
    form: head.form + next.form,
    letters: head.letters + next.letters,
    asks: [...head.asks, ...next.asks],
    brings: union(head.brings, next.brings),
    features: { ...head.features, ...next.features },
  };
}

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
