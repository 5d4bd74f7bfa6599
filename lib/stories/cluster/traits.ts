import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { analyse, nameKey, sharedDictionary, soundKey, wordTerms } from "../../text/mod.ts";

/** Steps of a level to a doubling of rarity, as `build-story-stems.ts` writes them. */
const STEPS = 2;

/** Rarity of a stem that the news hardly has: one article in 4,096. */
const RAREST = 12;

const FILE = new URL("../../../nlp/lexicon/stories/frequent-stems.tsv", import.meta.url);

let loaded: ReadonlyMap<string, number> | undefined;

/**
 * Returns how rare a stem is in the news, in bits: minus the binary logarithm of the share of articles that hold it.
 */
export function rarity(stem: string): number {
  loaded ??= readRarities(readFileSync(FILE, "utf8"));
  return loaded.get(stem) ?? RAREST;
}

/** Reads lines of a level, a tab, and the stems of that level. */
function readRarities(text: string): Map<string, number> {
  const rarities = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [level = "", stems = ""] = line.split("\t");
    for (const stem of stems.split(" ")) if (stem !== "") rarities.set(stem, Number(level) / STEPS);
  }
  return rarities;
}

/** Hashes of features, each once and ascending, with weights of length 1 together. */
export type Features = { readonly hashes: Uint32Array; readonly weights: Float32Array };

/** Features of an article by which its event is told. */
export type Traits = {
  /** Stems of the title, and of title and beginning together, by their rarity. */
  title: Features;
  words: Features;
  /** The words in English stems, and words that no dictionary has by their sound: comparable across languages. */
  pivot: Features;
  /** Persons, places, organisations, each the same in every language. */
  names: Features;
  numbers: Features;
  /** Its source, hashed. */
  source: number;
  /** The direction of its passages, in 8 bits; empty where there are none. */
  vector: Int8Array;
  /** The direction of its first passage as the reranker reads it; empty where it has not read it. */
  read: Int8Array;
};

/** Parts that traits are made of. `vectors` are those of its passages, in their order. */
export type TraitSource = {
  sourceId: string;
  title: string;
  content: string;
  entities: readonly { entityId: number; name: string; mentions: number }[];
  vectors: readonly Float32Array[];
  read?: Int8Array | undefined;
};

/** Units of the content that are read: a report says what happened where it begins. */
const READ_UNITS = 1_600;
/** Units of its lead, whose words count twice. */
const LEAD_UNITS = 400;

const TITLE_WEIGHT = 3;
const LEAD_WEIGHT = 2;

/** Features kept of each kind, the weightiest. */
const MAX = { title: 14, words: 48, pivot: 48, names: 16, numbers: 12 };

/** Passages that the direction is made of; the first one, which has the lead, counts twice. */
const PASSAGES = 4;

/** Rarity of a word that is told by its sound alone: others sound like it. */
const SOUND_RARITY = 8;
/** Consonants from which on a sound tells one word from others. */
const SOUND_LENGTH = 3;

const LEVELS = 127;

/** A place and a paper or agency before the report begins, as in `LONDON (Reuters) - `: other reports have it, too. */
const DATELINE = /^[^\n()]{0,80}\([^\n()]{2,40}\)\s{0,3}[-\u2010-\u2015:]{1,3}/u;

/** Makes the traits of an article. */
export function traitsOf({ sourceId, title, content: text, entities, vectors, read }: TraitSource): Traits {
  const content = text.slice(0, READ_UNITS).replace(DATELINE, "");
  const titleWords = countWords(title);
  const words = new Map<string, Word>();
  add(words, titleWords, TITLE_WEIGHT);
  add(words, countWords(content.slice(0, LEAD_UNITS)), LEAD_WEIGHT);
  add(words, countWords(content.slice(LEAD_UNITS)), 1);
  const weigh = ({ count, stem }: Word): number => (1 + Math.log(count)) * rarity(stem);
  const pivot = new Map<string, number>();
  const numbers = new Map<string, number>();
  for (const word of words.values()) {
    if (word.isNumber) {
      numbers.set(`=${word.stem}`, numberWeight(word.stem) * (1 + Math.log(word.count)));
      continue;
    }
    for (const [form, weight] of pivotsOf(word)) {
      pivot.set(form, (pivot.get(form) ?? 0) + (1 + Math.log(word.count)) * weight);
    }
  }
  const plain = (each: ReadonlyMap<string, Word>): [string, number][] =>
    [...each.values()].filter(({ isNumber }) => !isNumber).map((word) => [word.stem, weigh(word)]);
  return {
    title: features(plain(titleWords), MAX.title),
    words: features(plain(words), MAX.words),
    pivot: features([...pivot], MAX.pivot),
    names: features(
      entities.map(({ entityId, name, mentions }) => [`#${entityId}`, nameRarity(name) * (1 + Math.log(mentions))]),
      MAX.names,
    ),
    numbers: features([...numbers], MAX.numbers),
    source: hashOf(sourceId),
    vector: direction(vectors),
    read: read ?? new Int8Array(0),
  };
}

type Word = { stem: string; form: string; count: number; isNumber: boolean };

const NUMBER = /^\p{N}+(?:[.,٫٬]\p{N}+)*$/u;
const YEAR = /^(?:19|20)\d\d$/;

function countWords(text: string): Map<string, Word> {
  const words = new Map<string, Word>();
  for (const { terms } of analyse(text)) {
    const [stem] = terms.stems;
    if (stem === undefined || terms.stop) continue;
    const word = words.get(stem) ?? { stem, form: terms.form, count: 0, isNumber: NUMBER.test(stem) };
    word.count++;
    words.set(stem, word);
  }
  return words;
}

function add(words: Map<string, Word>, counted: ReadonlyMap<string, Word>, weight: number): void {
  for (const [stem, word] of counted) {
    const known = words.get(stem);
    if (known === undefined) words.set(stem, { ...word, count: word.count * weight });
    else known.count += word.count * weight;
  }
}

/** Returns how much a number tells: figures of many digits much, small ones and years little. */
function numberWeight(digits: string): number {
  if (YEAR.test(digits)) return 0.5;
  return Math.min(4, digits.replace(/\D/g, "").length);
}

/** Returns what a word is in English stems with weights, or its sound where no dictionary has it. */
function pivotsOf({ stem, form }: Word): [string, number][] {
  const options = sharedDictionary().options(stem);
  const isArabic = /\p{Script=Arabic}/u.test(stem);
  if (options.length === 0) {
    const sound = soundKey(form);
    const sounds: [string, number][] = sound.length < SOUND_LENGTH ? [] : [[`~${sound}`, SOUND_RARITY]];
    return isArabic ? sounds : [[stem, rarity(stem)], ...sounds];
  }
  if (!isArabic) return [[stem, rarity(stem)]];
  return options.slice(0, 3).map(({ stem: english, share }) => [english, share * rarity(english)]);
}

/** Returns how rare a name is: as its rarest word. */
function nameRarity(name: string): number {
  const stems = nameKey(name)
    .split(" ")
    .flatMap((word) => wordTerms(word).stems.slice(0, 1));
  return Math.max(1, ...stems.map(rarity));
}

/** Returns the heaviest features by their hashes, with weights of length 1 together. */
function features(weighed: readonly (readonly [string, number])[], max: number): Features {
  const top = weighed
    .filter(([, weight]) => weight > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, max);
  const byHash = new Map<number, number>();
  for (const [name, weight] of top) byHash.set(hashOf(name), Math.max(weight, byHash.get(hashOf(name)) ?? 0));
  const hashes = Uint32Array.from(byHash.keys()).sort();
  const weights = Float32Array.from(hashes, (hash) => byHash.get(hash) ?? 0);
  const length = Math.hypot(...weights);
  return { hashes, weights: length === 0 ? weights : weights.map((weight) => weight / length) };
}

/** Returns the hash of a feature: FNV-1a over UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function direction(vectors: readonly Float32Array[]): Int8Array {
  const [first] = vectors;
  if (first === undefined) return new Int8Array(0);
  const sum = new Float64Array(first.length);
  for (const [place, vector] of vectors.slice(0, PASSAGES).entries()) {
    const weight = place === 0 ? 2 : 1;
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0);
  }
  const largest = sum.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return new Int8Array(0);
  return Int8Array.from(sum, (value) => Math.round((value / largest) * LEVELS));
}

/** Kinds of features, in the order in which they are packed. */
const KINDS = ["title", "words", "pivot", "names", "numbers"] as const;

/** Bytes of a feature: its hash, and its weight in 8 bits. */
const FEATURE_BYTES = 5;

/** Bytes of a source. */
const SOURCE_BYTES = 4;

/** Bytes of how long a vector is. */
const LENGTH_BYTES = 2;

/** Packs traits: how many features each kind has, the source, the length of the vector, features, vectors. */
export function packTraits(traits: Traits): Buffer {
  const counts = KINDS.map((kind) => traits[kind].hashes.length);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const vectors = [...traits.vector, ...traits.read];
  const bytes = Buffer.alloc(KINDS.length + SOURCE_BYTES + LENGTH_BYTES + all * FEATURE_BYTES + vectors.length);
  let at = 0;
  for (const count of counts) at = bytes.writeUInt8(count, at);
  at = bytes.writeUInt32LE(traits.source, at);
  at = bytes.writeUInt16LE(traits.vector.length, at);
  for (const kind of KINDS) {
    const { hashes, weights } = traits[kind];
    for (const [i, hash] of hashes.entries()) {
      at = bytes.writeUInt32LE(hash, at);
      at = bytes.writeUInt8(Math.round((weights[i] ?? 0) * 255), at);
    }
  }
  for (const level of vectors) at = bytes.writeInt8(level, at);
  return bytes;
}

/** Reads traits back from their bytes. */
export function unpackTraits(bytes: Buffer): Traits {
  const source = bytes.readUInt32LE(KINDS.length);
  const length = bytes.readUInt16LE(KINDS.length + SOURCE_BYTES);
  let at: number = KINDS.length + SOURCE_BYTES + LENGTH_BYTES;
  const read = (kind: number): Features => {
    const count = bytes.readUInt8(kind);
    const hashes = new Uint32Array(count);
    const weights = new Float32Array(count);
    for (let i = 0; i < count; i++, at += FEATURE_BYTES) {
      hashes[i] = bytes.readUInt32LE(at);
      weights[i] = bytes.readUInt8(at + 4) / 255;
    }
    return { hashes, weights };
  };
  const [title, words, pivot, names, numbers] = [read(0), read(1), read(2), read(3), read(4)];
  const vectors = Int8Array.from(bytes.subarray(at), (byte) => (byte << 24) >> 24);
  const [vector, readVector] = [vectors.subarray(0, length), vectors.subarray(length)];
  return { title, words, pivot, names, numbers, source, vector, read: readVector };
}

/** Keys of each kind by which an article finds others: its weightiest features. */
const KEYS = { title: 4, words: 7, pivot: 7, names: 6, numbers: 2 };

/** Returns the keys under which an article is found by others of its event, as signed numbers of 32 bits. */
export function keysOf(traits: Traits): number[] {
  const keys = new Set<number>();
  for (const kind of KINDS) {
    const { hashes, weights } = traits[kind];
    const heaviest = [...hashes.keys()].sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0)).slice(0, KEYS[kind]);
    for (const place of heaviest) keys.add((hashes[place] ?? 0) | 0);
  }
  return [...keys];
}

/** Stems of a title that are kept, the first. */
const MAX_STEMS = 40;

/** Returns the stems of a title as signed numbers of 32 bits, by which stories are searched. */
export function titleStems(title: string): number[] {
  const words = [...countWords(title).values()].slice(0, MAX_STEMS);
  return words.map(({ stem, isNumber }) => hashOf(isNumber ? `=${stem}` : stem) | 0);
}

/** Words of a query that are looked for, the first. */
const MAX_QUERY_WORDS = 16;

/** Returns for each word of a query the stems that stand for it in either language, as {@link titleStems} has them. */
export function queryStems(query: string): number[][] {
  const words = [...countWords(query).values()].slice(0, MAX_QUERY_WORDS);
  return words.map(({ stem, isNumber }) => {
    if (isNumber) return [hashOf(`=${stem}`) | 0];
    const others = sharedDictionary().options(stem);
    return [stem, ...others.map((option) => option.stem)].map((each) => hashOf(each) | 0);
  });
}
