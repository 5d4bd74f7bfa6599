import { grown } from "../vector/memory.ts";

/** Units of the longest word that is held: what is longer is no word of a language. */
const MAX_UNITS = 24;

const LEAST_NODES = 1024;
const units = (length: number): Uint16Array => new Uint16Array(length);
const numbers = (length: number): Uint32Array => new Uint32Array(length);

/** A word of an index, and by how many edits it is apart from the one that was looked for. */
export type NearForm = { form: number; edits: number };

/** A trie as it can be written to disk. */
export type TrieColumns = { units: Uint16Array; children: Uint32Array; siblings: Uint32Array; forms: Uint32Array };

/**
 * Words under their numbers, found by how they begin and by what they are near to. A node has the unit that leads to
 * it, its first child, its next sibling and the word that ends there: 14 bytes, two nodes a word in an archive of news.
 */
export class FormTrie {
  #units = units(LEAST_NODES);
  #children = numbers(LEAST_NODES);
  #siblings = numbers(LEAST_NODES);
  #forms = numbers(LEAST_NODES);
  /** The root is node 0. */
  #count = 1;

  /** Adds a word, which is not empty; one that is very long is left out. */
  add(text: string, form: number): void {
    if (text.length > MAX_UNITS) return;
    let node = 0;
    for (let i = 0; i < text.length; i++) node = this.#child(node, text.charCodeAt(i)) || this.#grow(node, text, i);
    this.#forms[node] = form;
  }

  /**
   * Returns the words within so many edits of one: insertions, deletions, substitutions, and two neighbours swapped
   * (Damerau, in the restricted form). Subtrees that cannot hold one are left out by their row of the dynamic program.
   */
  within(word: string, edits: number): NearForm[] {
    const near: NearForm[] = [];
    const { length } = word;
    if (length > MAX_UNITS) return near;
    const width = length + 2;
    const rows = new Uint8Array(width * (length + edits + 2));
    for (let j = 0; j <= length; j++) rows[j] = j;
    const [letters, children, siblings, forms] = [this.#units, this.#children, this.#siblings, this.#forms];
    /** The letters that go on at no cost: all that is left where no edit is. */
    const free = new Uint16Array(4 * edits + 2);
    const walk = (parent: number, depth: number, before: number, spent: number): void => {
      const row = depth * width;
      const last = row - width;
      const lastButOne = last - width;
      const from = Math.max(1, depth - edits);
      const to = Math.min(length, depth + edits);
      const isSpent = spent === edits;
      let goOn = 0;
      if (isSpent) {
        for (let j = from; j <= to; j++) {
          if ((rows[last + j - 1] ?? 0) <= edits) free[goOn++] = word.charCodeAt(j - 1);
          if (depth < 2 || j < 2 || word.charCodeAt(j - 1) !== before) continue;
          if ((rows[lastButOne + j - 2] ?? 0) < edits) free[goOn++] = word.charCodeAt(j - 2);
        }
        if (goOn === 0) return;
      }
      const first = free[0] ?? 0;
      // Those that it leads to have others: they are asked for before.
      const others = goOn > 1 ? free.slice(1, goOn) : undefined;
      for (let node = children[parent] ?? 0; node !== 0; node = siblings[node] ?? 0) {
        const letter = letters[node] ?? 0;
        if (isSpent && letter !== first && others?.includes(letter) !== true) continue;
        rows[row + from - 1] = from === 1 ? depth : edits + 1;
        let least = from === 1 ? depth : edits + 1;
        for (let j = from; j <= to; j++) {
          const same = word.charCodeAt(j - 1) === letter;
          let cost = (rows[last + j - 1] ?? 0) + (same ? 0 : 1);
          const inserted = (rows[row + j - 1] ?? 0) + 1;
          if (inserted < cost) cost = inserted;
          // Outside of the band nothing was computed.
          const deleted = j < depth + edits ? (rows[last + j] ?? 0) + 1 : cost;
          if (deleted < cost) cost = deleted;
          if (depth > 1 && j > 1 && word.charCodeAt(j - 2) === letter && word.charCodeAt(j - 1) === before) {
            const swapped = (rows[lastButOne + j - 2] ?? 0) + 1;
            if (swapped < cost) cost = swapped;
          }
          rows[row + j] = cost;
          if (cost < least) least = cost;
        }
        if (least > edits) continue;
        const form = forms[node] ?? 0;
        const apart = to === length ? (rows[row + length] ?? 0) : edits + 1;
        if (form !== 0 && apart <= edits) near.push({ form, edits: apart });
        if (depth < length + edits) walk(node, depth + 1, letter, least);
      }
    };
    walk(0, 1, 0, 0);
    return near;
  }

  /** Calls `visit` with each word that begins so. */
  forEachBeginning(prefix: string, visit: (form: number) => void): void {
    let node = 0;
    for (let i = 0; i < prefix.length; i++) {
      node = this.#child(node, prefix.charCodeAt(i));
      if (node === 0) return;
    }
    const stack = [node];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const form = this.#forms[next] ?? 0;
      if (form !== 0) visit(form);
      for (let child = this.#children[next] ?? 0; child !== 0; child = this.#siblings[child] ?? 0) stack.push(child);
    }
  }

  /** Returns the nodes as they can be written to disk; they are copied, since nodes change. */
  columns(): TrieColumns {
    return {
      units: this.#units.slice(0, this.#count),
      children: this.#children.slice(0, this.#count),
      siblings: this.#siblings.slice(0, this.#count),
      forms: this.#forms.slice(0, this.#count),
    };
  }

  /** Fills an empty trie. Throws {@link RangeError} where the columns do not fit each other. */
  restore({ units, children, siblings, forms }: TrieColumns): void {
    const count = units.length;
    if (count === 0 || [children, siblings, forms].some(({ length }) => length !== count)) {
      throw new RangeError("the columns of the trie differ");
    }
    this.#units = units;
    this.#children = children;
    this.#siblings = siblings;
    this.#forms = forms;
    this.#count = count;
  }

  #child(node: number, unit: number): number {
    const [letters, siblings] = [this.#units, this.#siblings];
    let child = this.#children[node] ?? 0;
    while (child !== 0 && letters[child] !== unit) child = siblings[child] ?? 0;
    return child;
  }

  /** Adds the child of a node for the unit at a place of a text. */
  #grow(node: number, text: string, place: number): number {
    const child = this.#count++;
    this.#units = grown(this.#units, this.#count, units);
    this.#children = grown(this.#children, this.#count, numbers);
    this.#siblings = grown(this.#siblings, this.#count, numbers);
    this.#forms = grown(this.#forms, this.#count, numbers);
    this.#units[child] = text.charCodeAt(place);
    this.#siblings[child] = this.#children[node] ?? 0;
    this.#children[node] = child;
    return child;
  }
}
