/** Slots of a table; half of them are used at most. */
const SLOTS = 1 << 18;

/**
 * Values by word, looked up without making a string of the word: its characters are hashed and compared where they
 * stand. Words are forgotten when they have not been met for long: there are two tables, and a full one takes the place
 * of the older.
 */
export class WordCache<T> {
  readonly #make: (word: string) => T;
  readonly #longest: number;
  #recent = new Table<T>();
  #older = new Table<T>();

  /** `make` gives the value of a word that is not known; words longer than `longest` are not kept. */
  constructor(make: (word: string) => T, longest: number) {
    this.#make = make;
    this.#longest = longest;
  }

  /** The value of the word from `start` to `end` of a text. */
  get(text: string, start: number, end: number): T {
    if (end - start > this.#longest) return this.#make(text.slice(start, end));
    let hash = 0x811c9dc5 | 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
    const recent = this.#recent.find(hash, text, start, end);
    if (recent !== undefined) return recent.value;
    const entry = this.#older.find(hash, text, start, end) ?? this.#entry(text, start, end);
    if (this.#recent.size >= SLOTS / 2) {
      this.#older = this.#recent;
      this.#recent = new Table();
    }
    this.#recent.add(hash, entry);
    return entry.value;
  }

  #entry(text: string, start: number, end: number): Entry<T> {
    const units = new Array<number>(end - start);
    for (let i = start; i < end; i++) units[i - start] = text.charCodeAt(i);
    // A slice would keep the whole text in memory.
    const word = String.fromCharCode(...units);
    return { word, value: this.#make(word) };
  }
}

type Entry<T> = { readonly word: string; readonly value: T };

/** Open addressing, linear probing. */
class Table<T> {
  readonly #entries: Entry<T>[] = [];
  readonly #hashes = new Int32Array(SLOTS);
  /** 1 more than the index of the slot's entry; 0 for an empty slot. */
  readonly #indexes = new Int32Array(SLOTS);

  get size(): number {
    return this.#entries.length;
  }

  find(hash: number, text: string, start: number, end: number): Entry<T> | undefined {
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const index = this.#indexes[slot] ?? 0;
      if (index === 0) return undefined;
      if (this.#hashes[slot] !== hash) continue;
      const entry = this.#entries[index - 1];
      if (entry !== undefined && isAt(text, start, end, entry.word)) return entry;
    }
  }

  add(hash: number, entry: Entry<T>): void {
    let slot = hash & (SLOTS - 1);
    while (this.#indexes[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.#hashes[slot] = hash;
    this.#indexes[slot] = this.#entries.push(entry);
  }
}

function isAt(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}
