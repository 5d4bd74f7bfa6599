import { z } from "zod";
import { BoundedMap } from "../../std/mod.ts";
import { normalForm } from "../../text/mod.ts";
import {
  type Affix,
  beginnings,
  type ByLetters,
  completions,
  createSpellers,
  products,
  type Row,
  rowOf,
} from "./affixes.ts";
import { type Asked, type Conditions, conditionsOf, type Features, holds } from "./lexicon.ts";
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
