/** Entries that a table begins with room for, and slots that it has for each. */
const LEAST_ENTRIES = 1024;
const SLOTS_AN_ENTRY = 2;

/**
 * Numbers spans of one long text by what they say: a map whose keys are not taken out of the text. Some 20 bytes a key,
 * where a Map of their slices takes a hundred.
 */
export class SpanTable {
  readonly #text: string;
  #size = 0;
  /** Hold where the span of each entry begins, and its length in UTF-16 units. */
  #starts = new Uint32Array(LEAST_ENTRIES);
  #lengths = new Uint16Array(LEAST_ENTRIES);
  /** Holds one more than the entry at the place of its hash, or the next that is free; 0 where there is none. */
  #slots = new Uint32Array(LEAST_ENTRIES * SLOTS_AN_ENTRY);

  constructor(text: string) {
    this.#text = text;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Returns the number of the first span that was added and says the same as this one, which is added where there is
   * none; numbers go up from 0. A span holds less than 65,536 units.
   */
  add(start: number, end: number): number {
    if (this.#size === this.#starts.length) this.#grow();
    const slot = this.#slot(this.#text, start, end);
    const taken = this.#slots[slot] ?? 0;
    if (taken > 0) return taken - 1;
    const entry = this.#size++;
    this.#starts[entry] = start;
    this.#lengths[entry] = end - start;
    this.#slots[slot] = entry + 1;
    return entry;
  }

  /** Returns the number of the span that says what stands in `text` from `start` to `end`; -1 where there is none. */
  find(text: string, start = 0, end: number = text.length): number {
    return (this.#slots[this.#slot(text, start, end)] ?? 0) - 1;
  }

  /** Returns where a span begins. */
  startOf(entry: number): number {
    return this.#starts[entry] ?? 0;
  }

  /** Returns where a span ends. */
  endOf(entry: number): number {
    return (this.#starts[entry] ?? 0) + (this.#lengths[entry] ?? 0);
  }

  /** Returns the slot of what stands there, a free one where it was not added. */
  #slot(text: string, start: number, end: number): number {
    let hash = 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
    const last = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & last; ; slot = (slot + 1) & last) {
      const taken = this.#slots[slot] ?? 0;
      if (taken === 0 || this.#says(taken - 1, text, start, end)) return slot;
    }
  }

  #says(entry: number, text: string, start: number, end: number): boolean {
    const length = end - start;
    if (this.#lengths[entry] !== length) return false;
    const from = this.#starts[entry] ?? 0;
    for (let i = 0; i < length; i++) {
      if (this.#text.charCodeAt(from + i) !== text.charCodeAt(start + i)) return false;
    }
    return true;
  }

  #grow(): void {
    const [starts, lengths] = [this.#starts, this.#lengths];
    this.#starts = new Uint32Array(2 * starts.length);
    this.#starts.set(starts);
    this.#lengths = new Uint16Array(2 * lengths.length);
    this.#lengths.set(lengths);
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let entry = 0; entry < this.#size; entry++) {
      this.#slots[this.#slot(this.#text, starts[entry] ?? 0, this.endOf(entry))] = entry + 1;
    }
  }
}
