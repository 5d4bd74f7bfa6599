import { z } from "zod";
import { BoundedMap } from "../../std/mod.ts";
import { normalForm } from "../../text/mod.ts";
import { type Asked, type Conditions, conditionsOf, type Features, holds, undecided, union } from "./lexicon.ts";
import { lettersOf } from "./written-forms.ts";

const Literals = z.array(z.array(z.int()));
const Rules = z.object({
  conditions: z.array(z.string()),
  classes: z.record(z.string(), z.array(z.tuple([z.string(), Literals, z.array(z.int()), z.string()]))),
  orders: z.array(
    z.object({
      prefix: z.array(z.string()),
      stem: z.string(),
      buffer: z.string(),
      suffix: z.array(z.string()),
      pos: z.string(),
    }),
  ),
  signatures: z.array(z.tuple([z.string(), Literals, z.array(z.int()), z.string(), z.string()])),
});

/** Holds what can stand before a stem: proclitics and the prefix of the imperfect. */
export type Prefix = Affix;

/** Holds what can stand after a stem, with the sequence of prefixes that goes with it. */
export type Ending = Affix & { sequence: number };

/** Holds what all stems of a kind share: how they are joined, their part of speech and features. */
type Signature = { asks: Asked; brings: Conditions; features: Features; pos: string };

/**
 * Holds what signatures share that are joined alike: what can begin each place behind their stems, made when first
 * asked for, and the endings that were asked for, by their letters.
 */
type Group = Pick<Affix, "asks" | "brings"> & {
  places: { row: Row; sequence: number; begun?: ByLetters }[];
  endings: BoundedMap<string, readonly Ending[]>;
};

/** Says how words are built: what can stand before and after the stems of a signature. */
export type WordRules = {
  signature(number: number): Signature;
  /** Returns the prefixes of a sequence that are written so, in normal form. */
  prefixes(sequence: number, letters: string): readonly Prefix[];
  /** Returns the endings of stems of a signature that are written so, in normal form. */
  endings(signature: number, letters: string): readonly Ending[];
  /** Returns all of them: those that differ in nothing that is written, too. */
  inflections(signature: number, letters: string): readonly Ending[];
  /** Tells whether the parts of a word go together. */
  agree(prefix: Prefix, signature: number, ending: Ending): boolean;
  /** Tells whether any stem has prefixes, or an ending, that are written so, in normal form. */
  canStandBefore(letters: string): boolean;
  canStandAfter(letters: string): boolean;
  /** Letters of the longest prefixes, and of the longest ending. */
  longestPrefix: number;
  longestEnding: number;
};

/** Letters after a stem of which it is kept whether they are an ending. */
const CACHED_ENDINGS = 20_000;
/** Letters whose endings are kept for each group of signatures. */
const ENDINGS_KEPT = 500;

/** Distinctions that unvowelled text does not show: of endings that differ in them alone one is kept. */
const UNWRITTEN = new Set(["cas", "mod", "stt"]);

/** Makes the rules out of `rules.json`. Throws when it has another form. */
export function createRules(json: string): WordRules {
  const { conditions, classes, orders, signatures: listed } = Rules.parse(JSON.parse(json));
  const size = conditions.length;
  const morphemes = new Map<string, Affix[]>(
    Object.entries(classes).map(([name, list]) => [
      name,
      list.map(([form, asks, brings, features]) => ({
        form,
        letters: normalForm(lettersOf(form)),
        asks,
        brings: conditionsOf(brings, size),
        features: featuresOf(features),
      })),
    ]),
  );
  const signatures = listed.map(([, asks, brings, features, pos]) => ({
    asks,
    brings: conditionsOf(brings, size),
    features: featuresOf(features),
    pos,
  }));
  const sequences = [...new Set(orders.map(({ prefix }) => prefix.join(" ")))];
  const prefixes = sequences.map((names) =>
    Map.groupBy(
      products((names === "" ? [] : names.split(" ")).map((name) => morphemes.get(name) ?? [])),
      ({ letters }) => letters,
    ),
  );
  const fromPrefixes = new Set(
    orders.flatMap(({ prefix }) => prefix.flatMap((name) => (classes[name] ?? []).flatMap(([, , brings]) => brings))),
  );
  const nothing = conditionsOf([], size);
  const rows = new Map<string, Row>();
  const speller = createSpellers();
  const places = orders.map(({ prefix, stem, buffer, suffix, pos }) => {
    const names = [...(buffer === "" ? [] : [buffer]), ...suffix];
    const row =
      rows.get(names.join(" ")) ??
      rowOf(
        names.map((name) => morphemes.get(name) ?? []),
        speller,
      );
    rows.set(names.join(" "), row);
    return { stem, pos, row, sequence: sequences.indexOf(prefix.join(" ")) };
  });
  const before = new Set(prefixes.flatMap((each) => [...each.keys()]));
  const after = new BoundedMap<string, boolean>(CACHED_ENDINGS);
  const spellers = [...new Set([...rows.values()].map(({ spells }) => spells))];
  // Signatures that are joined alike share their endings.
  const groups = new Map<string, Group>();
  const groupOf = listed.map(([stemClass, asks, brings, , pos]) => {
    const key = JSON.stringify([stemClass, asks, brings, pos === "adj"]);
    const group = groups.get(key) ?? {
      asks: asks.filter((clause) => !concerns(clause, fromPrefixes)),
      brings: conditionsOf(brings, size),
      places: places
        .filter((each) => each.stem === stemClass && (each.pos !== "adj" || pos === "adj"))
        .map(({ row, sequence }) => ({ row, sequence })),
      endings: new BoundedMap<string, readonly Ending[]>(ENDINGS_KEPT),
    };
    groups.set(key, group);
    return group;
  });

  return {
    signature: (number) => signatures[number] ?? { asks: [], brings: nothing, features: {}, pos: "" },
    prefixes: (sequence, letters) => prefixes[sequence]?.get(letters) ?? [],
    canStandBefore: (letters) => before.has(letters),
    canStandAfter(letters) {
      let can = after.get(letters);
      if (can === undefined) {
        can = spellers.some((spells) => spells(letters));
        after.set(letters, can);
      }
      return can;
    },
    endings(number, letters) {
      const group = groupOf[number];
      if (group === undefined) return [];
      let endings = group.endings.get(letters);
      if (endings === undefined) {
        endings = endingsOf(group, letters);
        group.endings.set(letters, endings);
      }
      return endings;
    },
    inflections(number, letters) {
      const group = groupOf[number];
      return group === undefined ? [] : allEndingsOf(group, letters);
    },
    agree(prefix, number, ending) {
      const signature = signatures[number];
      if (signature === undefined) return false;
      const brought = [prefix.brings, signature.brings, ending.brings];
      return holds(prefix.asks, brought) && holds(signature.asks, brought);
    },
    longestEnding: Math.max(0, ...rows.values().map(({ longest }) => longest)),
    longestPrefix: Math.max(...prefixes.flatMap((map) => [...map.keys()].map(({ length }) => length))),
  };
}

/** Returns the endings of stems of a group that are written so. */
function allEndingsOf(group: Group, letters: string): Ending[] {
  return group.places.flatMap((place) => {
    const { row, sequence } = place;
    if (!row.spells(letters)) return [];
    place.begun ??= beginnings(group, row);
    return completions(place.begun, row, letters).map((affix) => ({ ...affix, sequence }));
  });
}

/** Returns the same; of those that differ in what is not written, the shortest. */
function endingsOf(group: Group, letters: string): Ending[] {
  const all = new Map<string, Ending>();
  for (const ending of allEndingsOf(group, letters)) {
    const written = Object.entries(ending.features).filter(([name]) => !UNWRITTEN.has(name));
    const key = `${ending.sequence} ${lettersOf(ending.form)} ${written.join(" ")}`;
    const before = all.get(key);
    if (before === undefined || ending.form.length < before.form.length) all.set(key, ending);
  }
  return [...all.values()];
}

function concerns(clause: readonly number[], conditions: ReadonlySet<number>): boolean {
  return clause.some((literal) => conditions.has(literal < 0 ? -1 - literal : literal));
}

function featuresOf(text: string): Features {
  return Object.fromEntries(
    text
      .split(" ")
      .filter((each) => each.includes(":"))
      .map((each) => [each.slice(0, each.indexOf(":")), each.slice(each.indexOf(":") + 1)]),
  );
}

/**
 * Holds what stands before a stem, or after it, as one piece; `letters`: its form as it is written, in normal form.
 */
export type Affix = { form: string; letters: string; asks: Asked; brings: Conditions; features: Features };

/** Affixes, each with its place in a list, by their letters. */
type ByLetters = ReadonlyMap<string, readonly { affix: Affix; place: number }[]>;

/** The morphemes of a place after a stem, and the conditions that those of the places behind it can bring. */
type Step = { choices: readonly Affix[]; written: ByLetters; later: Conditions };

/**
 * The places after a stem in a row; `spells`: whether these letters can stand there, in normal form; `longest`: how
 * many letters there can be.
 */
type Row = { steps: readonly Step[]; longest: number; spells(letters: string): boolean };

/** Bounds the runs of letters of which a speller keeps whether it spells them. */
const CACHED_SPELLINGS = 5_000;

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
  const known = new BoundedMap<string, boolean>(CACHED_SPELLINGS);
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
