import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import { BoundedMap, copied } from "../../std/mod.ts";
import { hashOf } from "../tokens.ts";

/**
 * Grammatical features by name, as the lexicon writes them: `gen:m num:s per:3 asp:p vox:a prc1:bi_prep enc0:3ms_poss`.
 */
export type Features = Readonly<Record<string, string>>;

/** A word of the lexicon: its form in the dictionary and what is said of it there, in Buckwalter's transliteration. */
export type Lemma = { id: number; form: string; pos: string; root: string; gloss: string; cost: number };

/** A stem: its vowelled form, the number of its signature, and its lemma. */
export type Stem = { form: string; signature: number; lemma: number };

/** The lemmas and stems of MSA. */
export type Lexicon = {
  /** Counts the lemmas, which are numbered from 0. */
  size: number;
  lemma(id: number): Lemma;
  /** Returns the stems that are written so, in normal form. */
  stems(letters: string): readonly Stem[];
  /**
   * Counts how often a word means a place for once that it means something else; `word`: in normal form, article
   * included.
   */
  placeOdds(word: string): number | undefined;
  /** Returns the lemma of this number, as {@link lemmaId} makes it; undefined where there is none. */
  lemmaById(id: number): Lemma | undefined;
  /** Returns the stems of a lemma. */
  stemsOf(lemma: Lemma): Stem[];
};

/**
 * Holds what is added to the counts of a word as a place and as something else: of what was seen once little is known.
 */
const PRIOR = { place: 0.5, other: 1 };

/** Lemmas, and words with their stems, that are kept taken apart. */
const CACHED_LEMMAS = 8_000;
const CACHED_STEMS = 16_000;

/**
 * Reads the tables `lemmas.tsv`, `stems.tsv` and `places.tsv`. The first two stay the texts that they are, with numbers
 * that say where a line begins: a line is taken apart when it is needed.
 */
export function createLexicon(lemmaTable: string, stemTable: string, placeTable = ""): Lexicon {
  const places = new Map(
    placeTable.split("\n").map((line) => {
      const [word = "", place = "0", other = "0"] = line.split("\t");
      return [word, (Number(place) + PRIOR.place) / (Number(other) + PRIOR.other)] as const;
    }),
  );
  const lemmaStarts = lineStarts(lemmaTable);
  const size = lemmaStarts.length;
  const lemmas = new BoundedMap<number, Lemma>(CACHED_LEMMAS);
  const stemsByLetters = new BoundedMap<string, readonly Stem[]>(CACHED_STEMS);
  const stemStarts = lineStarts(stemTable);
  const stemLines = createHashTable(stemStarts.length);
  for (const start of stemStarts) stemLines.add(hashOf(stemTable.slice(start, stemTable.indexOf("\t", start))), start);
  let byNumber: { numbers: Float64Array; ids: HashTable } | undefined;
  let byLemma: { firsts: Uint32Array; entries: Uint32Array } | undefined;

  function readLemma(id: number): Lemma {
    const line = id < size ? lineAt(lemmaTable, lemmaStarts[id] ?? 0) : "";
    const [form = "", pos = "", root = "", gloss = "", tenths = "0"] = line.split("\t");
    return { id, form, pos, root, gloss, cost: Number(tenths) / 10 };
  }

  function lemma(id: number): Lemma {
    let known = lemmas.get(id);
    if (known === undefined) {
      known = readLemma(id);
      lemmas.set(id, known);
    }
    return known;
  }

  function lemmaNumbers(): { numbers: Float64Array; ids: HashTable } {
    const numbers = Float64Array.from({ length: size }, (_, id) => lemmaId(readLemma(id)));
    const ids = createHashTable(size);
    for (const [id, number] of numbers.entries()) ids.add(slotOf(number), id);
    return { numbers, ids };
  }

  return {
    size,
    lemma,
    placeOdds: (word) => places.get(word),
    lemmaById(number) {
      byNumber ??= lemmaNumbers();
      const { numbers, ids } = byNumber;
      const id = ids.find(slotOf(number), (each) => numbers[each] === number);
      return id === undefined ? undefined : lemma(id);
    },
    stemsOf({ id }) {
      byLemma ??= entriesByLemma(stemTable, stemStarts, size);
      const { firsts, entries } = byLemma;
      return Array.from(entries.subarray(firsts[id], firsts[id + 1]), (start) => stemOf(entryAt(stemTable, start)));
    },
    stems(letters) {
      let stems = stemsByLetters.get(letters);
      if (stems === undefined) {
        const tab = letters.length;
        const start = stemLines.find(
          hashOf(letters),
          (each) => stemTable.startsWith(letters, each) && stemTable[each + tab] === "\t",
        );
        if (start === undefined) return NO_STEMS;
        stems = lineAt(stemTable, start)
          .slice(tab + 1)
          .split(";")
          .map(stemOf);
        stemsByLetters.set(copied(letters), stems);
      }
      return stems;
    },
  };
}

const NO_STEMS: readonly Stem[] = [];

/** Returns where the lines of a table begin. */
function lineStarts(table: string): Uint32Array {
  const starts: number[] = [];
  for (let start = 0; start < table.length; start = endAt(table, start) + 1) starts.push(start);
  return Uint32Array.from(starts);
}

function endAt(table: string, start: number): number {
  const end = table.indexOf("\n", start);
  return end < 0 ? table.length : end;
}

const lineAt = (table: string, start: number): string => table.slice(start, endAt(table, start));

/** Returns the stem of a line that begins at a place. */
function entryAt(table: string, start: number): string {
  const next = table.indexOf(";", start);
  const end = endAt(table, start);
  return table.slice(start, next < 0 ? end : Math.min(next, end));
}

/** Returns where the stems of each lemma begin in their table, lemma after lemma, and the first of each lemma. */
function entriesByLemma(
  table: string,
  lines: Uint32Array,
  size: number,
): { firsts: Uint32Array; entries: Uint32Array } {
  const starts: number[] = [];
  const owners: number[] = [];
  for (const line of lines) {
    const end = endAt(table, line);
    for (let start = table.indexOf("\t", line) + 1; start <= end; ) {
      const entry = entryAt(table, start);
      starts.push(start);
      owners.push(stemOf(entry).lemma);
      start += entry.length + 1;
    }
  }
  const firsts = new Uint32Array(size + 1);
  for (const owner of owners) firsts[owner + 1] = (firsts[owner + 1] ?? 0) + 1;
  for (let id = 0; id < size; id++) firsts[id + 1] = (firsts[id + 1] ?? 0) + (firsts[id] ?? 0);
  const next = firsts.slice();
  const entries = new Uint32Array(starts.length);
  for (const [place, owner] of owners.entries()) {
    const at = next[owner] ?? 0;
    entries[at] = starts[place] ?? 0;
    next[owner] = at + 1;
  }
  return { firsts, entries };
}

/** Numbers by hash, four bytes each and as much again. */
type HashTable = {
  add(hash: number, value: number): void;
  /** Returns the first number under a hash for which a condition holds. */
  find(hash: number, holds: (value: number) => boolean): number | undefined;
};

/** Makes a table with room for so many numbers (open addressing, linear probing). */
function createHashTable(count: number): HashTable {
  const slots = new Uint32Array(2 << Math.ceil(Math.log2(count + 1)));
  const mask = slots.length - 1;
  return {
    add(hash, value) {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = value + 1;
    },
    find(hash, holds) {
      for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const value = (slots[slot] ?? 0) - 1;
        if (holds(value)) return value;
      }
      return undefined;
    },
  };
}

function stemOf(entry: string): Stem {
  const [form = "", signature = "", lemma = ""] = entry.split(",");
  return { form, signature: Number.parseInt(signature, 36), lemma: Number.parseInt(lemma, 36) };
}

/** Says where the tables of the analyser are. */
export const TABLES = fileURLToPath(new URL("../../../nlp/lexicon/analyser/", import.meta.url));

const NAMES = ["lemmas.tsv", "places.tsv", "rules.json", "stems.tsv"] as const;
type TableName = (typeof NAMES)[number];

/** Holds the SHA-256 of each table: one that is cut short between two lines could be read as well as a whole one. */
const SUMS = "sums.json";
const Sums = z.record(z.enum(NAMES), z.string());

/** Returns a table as text. Throws when it is missing or is not as it was built, and names it. */
export function readTable(name: TableName, folder = TABLES): string {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (sumOf(bytes) !== Sums.parse(JSON.parse(readFileSync(join(folder, SUMS), "utf8")))[name]) {
    throw new Error(`${path} does not have the checksum of ${SUMS}; restore both, or build the tables again`);
  }
  return bytes.toString("utf8");
}

/** Writes down the checksums of tables that were built. */
export function sealTables(folder = TABLES): void {
  const sums = Object.fromEntries(NAMES.map((name) => [name, sumOf(readFileSync(join(folder, name)))]));
  writeFileSync(join(folder, SUMS), `${JSON.stringify(sums, undefined, 2)}\n`);
}

const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A set of conditions by number, as bits. */
export type Conditions = Uint32Array;

/**
 * Holds what a morpheme asks of the others of its word: clauses, all of which must hold; of a clause's literals one
 * must. A literal is the number of a condition that must be brought, or -1 minus the number of one that must not be.
 */
export type Asked = readonly (readonly number[])[];

/** Returns the set of these conditions, of `size` in all. */
export function conditionsOf(numbers: readonly number[], size: number): Conditions {
  const bits = new Uint32Array(Math.ceil(size / 32));
  for (const number of numbers) bits[number >> 5] = (bits[number >> 5] ?? 0) | (1 << (number & 31));
  return bits;
}

/** Returns the union of two sets, as long as the longer, which it is where the other adds nothing. */
export function union(one: Conditions, other: Conditions): Conditions {
  const longer = one.length < other.length ? other : one;
  const shorter = one.length < other.length ? one : other;
  let bits: Conditions | undefined;
  for (let i = 0; i < shorter.length; i++) {
    const added = shorter[i] ?? 0;
    if ((added & ~(longer[i] ?? 0)) === 0) continue;
    bits ??= longer.slice();
    bits[i] = (bits[i] ?? 0) | added;
  }
  return bits ?? longer;
}

/** Tells whether every clause holds of the conditions that the morphemes of a word bring, given as sets. */
export function holds(asked: Asked, brought: readonly Conditions[]): boolean {
  for (const clause of asked) {
    if (!clause.some((literal) => brought.some((set) => has(set, literal)) === literal >= 0)) return false;
  }
  return true;
}

/**
 * Returns the clauses that are not decided yet while of other conditions those of `later` can still be brought;
 * undefined when one can hold no more.
 */
export function undecided(asked: Asked, brought: Conditions, later: Conditions): Asked | undefined {
  const left: (readonly number[])[] = [];
  for (const clause of asked) {
    let isOpen = false;
    let isSure = false;
    for (const literal of clause) {
      const isBrought = has(brought, literal);
      if (isBrought || !has(later, literal)) isSure ||= isBrought === literal >= 0;
      else isOpen = true;
    }
    if (isSure) continue;
    if (!isOpen) return undefined;
    left.push(clause);
  }
  return left;
}

/** Tells whether a set has the condition that a literal is about. */
function has(set: Conditions, literal: number): boolean {
  const number = literal < 0 ? -1 - literal : literal;
  return (((set[number >> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}

/**
 * Returns the number by which a lemma is known outside: of 52 bits, made of its form, part of speech and root alone, so
 * that it stays when the lexicon grows.
 */
export function lemmaId({ form, pos, root }: Pick<Lemma, "form" | "pos" | "root">): number {
  const key = `${form}|${pos}|${root}`;
  return hashOf(key) * 0x100000 + (hashOf(`${key}|2`) >>> 12);
}

/** Returns the part of the number of a lemma that tells it from most others. */
const slotOf = (number: number): number => Math.floor(number / 0x100000);
