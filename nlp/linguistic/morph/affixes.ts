import { type Asked, type Conditions, holds, undecided, union } from "./conditions.ts";

/**
 * Grammatical features by name, as the lexicon writes them: `gen:m num:s per:3 asp:p vox:a prc1:bi_prep enc0:3ms_poss`.
 */
export type Features = Readonly<Record<string, string>>;

/** What stands before a stem, or after it, as one piece; `letters`: its form as it is written, in normal form. */
export type Affix = { form: string; letters: string; asks: Asked; brings: Conditions; features: Features };

/** The morphemes of a place after a stem, and the conditions that those of the places behind it can bring. */
type Step = { choices: readonly Affix[]; later: Conditions };

/**
 * The places after a stem in a row; `spells`: whether these letters can stand there, in normal form; `longest`: how
 * many letters there can be.
 */
export type Row = { steps: readonly Step[]; longest: number; spells(letters: string): boolean };

const NOTHING: Affix = { form: "", letters: "", asks: [], brings: new Uint32Array(0), features: {} };

/** Every way to take one of each list, joined in order. */
export function products(lists: readonly (readonly Affix[])[]): Affix[] {
  return lists.reduce<Affix[]>(
    (before, list) => before.flatMap((head) => list.map((next) => joined(head, next))),
    [NOTHING],
  );
}

/** The row of places of these morphemes. */
export function rowOf(lists: readonly (readonly Affix[])[], speller: Spellers): Row {
  const steps = lists.map((choices, place) => ({ choices, later: broughtBy(lists.slice(place + 1).flat()) }));
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
  const alphabet = new Set(lists.flat().join(""));
  const spell = (letters: string, place: number): boolean =>
    lists[place]?.some((each) => letters.startsWith(each) && spell(letters.slice(each.length), place + 1)) ??
    letters === "";
  return (letters) => Array.from(letters).every((letter) => alphabet.has(letter)) && spell(letters, 0);
}

function broughtBy(affixes: readonly Affix[]): Conditions {
  return affixes.reduce<Conditions>((all, { brings }) => union(all, brings), NOTHING.brings);
}

/** The first morphemes of a row that can follow a stem. */
export function beginnings(stem: Pick<Affix, "asks" | "brings">, { steps }: Row): Affix[] {
  const [first] = steps;
  const begun = { ...NOTHING, ...stem };
  if (first !== undefined) return extended(begun, first, () => true);
  return holds(stem.asks, [stem.brings]) ? [begun] : [];
}

/**
 * What continues these beginnings of a row and is written so in all: one morpheme of each further place, joined in
 * order, whose conditions all hold. What nothing can complete is left at once: of hundreds of thousands of combinations
 * few are looked at.
 */
export function completions(begun: readonly Affix[], { steps }: Row, letters: string): Affix[] {
  const fits = (before: Affix) => (next: Affix) => letters.startsWith(next.letters, before.letters.length);
  const all = steps.slice(1).reduce<readonly Affix[]>(
    (affixes, step) => affixes.flatMap((before) => extended(before, step, fits(before))),
    begun.filter((each) => letters.startsWith(each.letters)),
  );
  return all.filter((each) => each.letters === letters);
}

function extended(before: Affix, { choices, later }: Step, fits: (next: Affix) => boolean): Affix[] {
  return choices.flatMap((next) => {
    if (!fits(next)) return [];
    const brings = union(before.brings, next.brings);
    const asks = undecided(before.asks, brings, later);
    const own = asks && undecided(next.asks, brings, later);
    return asks && own ? [joined({ ...before, asks }, { ...next, asks: own })] : [];
  });
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
