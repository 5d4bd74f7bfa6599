import { BoundedMap } from "../../std/mod.ts";
import { romanised, soundKey, type WordTerms } from "../../text/mod.ts";
import { type Script, scriptOf, spellingsOf } from "../translate/translate.ts";
import { grown } from "../vector/memory.ts";
import { FormTrie, type NearForm, type TrieColumns } from "./trie.ts";
import { type TextColumns, TextTable, Vocabulary } from "./vocabulary.ts";

/** Words of one sound that are compared at most: those met first are the common ones. */
const MOST_ALIKE = 400;
/** Words whose spellings in the other script are cached. */
const REMEMBERED = 20_000;
/** Words of the index that are cached by their sound: about 100 bytes each. */
const REMEMBERED_ALIKE = 100_000;
/** What the words of a sound weigh, however few they are. */
const LEAST_WEIGHT = 4;

/** A word of the index that may be a word of a query in the other script, and how far it is from how that sounds. */
export type Spelling = { form: string; number: number; distance: number };

/** A word of the index, and how it sounds. */
type Sounding = { form: string; number: number; sound: string };

/** The first `read` words of a sound with numbers up to `last`, by their script. */
type Alike = { read: number; last: number } & Readonly<Record<Script, readonly Sounding[]>>;

/** The spellings of a word among the first `compared` of the words in the other script that have its key of sound. */
type Spelt = { key: string; compared: number; spellings: readonly Spelling[] };

/**
 * Spellings of words in the other script. To read what sounds alike, and to say how it sounds, takes longer than to
 * compare it: it is done once for all words of that sound.
 */
export class Spellings {
  readonly #words: Pick<Words, "sounding">;
  readonly #spelt = new BoundedMap<string, Spelt>(REMEMBERED);
  readonly #alike = new BoundedMap<string, Alike>(REMEMBERED_ALIKE, {
    weigh: ({ arabic, latin }) => LEAST_WEIGHT + arabic.length + latin.length,
  });

  constructor(words: Pick<Words, "sounding">) {
    this.#words = words;
  }

  /** Words of the script `to`, with numbers up to `last`, that may be spellings of a word in normal form. */
  of(word: string, to: Script, last: number): readonly Spelling[] {
    const asked = `${to} ${word}`;
    const known = this.#spelt.get(asked);
    const { key, compared, spellings } = known ?? { key: soundKey(word), compared: 0, spellings: [] };
    const alike = key === "" ? [] : this.#soundingAs(key, last)[to];
    if (known !== undefined && compared === alike.length) return spellings;
    const all = [...spellings, ...spellingsOf(word, alike.slice(compared)).map(spellingOf)];
    this.#spelt.set(asked, { key, compared: alike.length, spellings: all });
    return all;
  }

  /** The words with a key of sound and numbers up to `last`, the first of them. */
  #soundingAs(key: string, last: number): Alike {
    const known = this.#alike.get(key) ?? { read: 0, last: 0, arabic: [], latin: [] };
    if (known.last >= last || known.read === MOST_ALIKE) return known;
    const rows = this.#words.sounding(key, { after: known.last, last, limit: MOST_ALIKE - known.read });
    const more: Record<Script, Sounding[]> = { arabic: [], latin: [] };
    for (const { text, id } of rows) {
      const script = scriptOf(text);
      if (script !== undefined) more[script].push({ form: text, number: id, sound: romanised(text) });
    }
    const alike = {
      read: known.read + rows.length,
      last,
      arabic: more.arabic.length === 0 ? known.arabic : [...known.arabic, ...more.arabic],
      latin: more.latin.length === 0 ? known.latin : [...known.latin, ...more.latin],
    };
    this.#alike.set(key, alike);
    return alike;
  }
}

function spellingOf({ form, number, distance }: Sounding & { distance: number }): Spelling {
  return { form, number, distance };
}

/** What gives the forms and terms of a query their numbers; without the others a query is not translated. */
export type TermNumbers = Pick<Words, "form" | "term"> &
  Partial<Pick<Words, "text" | "spellings" | "near" | "beginning">>;

/** An index that finds forms by how they begin, and by what they are near to. */
export type LexiconNumbers = Pick<Words, "form" | "term" | "text" | "spellings" | "near" | "beginning">;

/** The words of an index as they can be written to disk. */
type WordColumns = {
  forms: TextColumns;
  terms: TextColumns;
  sounds: TextColumns;
  /** The number of each form's sound, from the first form on; 0 where it has none. */
  soundOf: Uint32Array;
  stems: Uint32Array;
  roots: Uint32Array;
  /** Of forms with further terms: the form, how many, and each of them. */
  several: Uint32Array;
  trie: TrieColumns;
};

const make = (length: number): Uint32Array => new Uint32Array(length);

/** Forms that are found by their beginning or as what a slip was meant for: numbers are neither. */
const LETTERS_ONLY = /^\p{L}+$/u;

/**
 * The words of an index: every word in its normal form (a form) has a number, and so has every stem and root (a term)
 * that `lib/text` gives it, both from 1. A word that no document has, has the number 0.
 */
export class Words {
  readonly vocabulary = new Vocabulary();
  readonly #forms = new TextTable();
  readonly #terms = new TextTable();
  readonly #sounds = new TextTable();
  readonly #spellings = new Spellings(this);
  readonly #trie = new FormTrie();
  #soundOf = make(1);
  /**
   * The first and the last form of each sound, and after each form the next one of its sound; 0 where there is none.
   */
  #first = make(1);
  #last = make(1);
  #next = make(1);

  /** Returns the number of a word's form. */
  form({ form }: Pick<WordTerms, "form">): number {
    return this.#forms.find(form);
  }

  /** Returns the number of a stem or root. */
  term(text: string): number {
    return this.#terms.find(text);
  }

  /** Returns the text of a form that the index has. */
  text(form: number): string | undefined {
    return this.#forms.text(form) || undefined;
  }

  /** See {@link Spellings.of}. */
  spellings(word: string, to: Script, last: number): readonly Spelling[] {
    return this.#spellings.of(word, to, last);
  }

  /** Returns the forms within so many edits of a word; see {@link FormTrie.within}. */
  near(word: string, edits: number): NearForm[] {
    return this.#trie.within(word, edits);
  }

  /** Calls `visit` with each form that begins so. */
  beginning(prefix: string, visit: (form: number) => void): void {
    this.#trie.forEachBeginning(prefix, visit);
  }

  /** Returns the number of a word's form; a new one is added with its terms and its sound. */
  add(terms: WordTerms): number {
    const before = this.#forms.size;
    const form = this.#forms.add(terms.form);
    if (form <= before) return form;
    this.vocabulary.addForm(
      terms.stems.map((text) => this.#terms.add(text)),
      terms.coarse.map((text) => this.#terms.add(text)),
    );
    if (LETTERS_ONLY.test(terms.form)) this.#trie.add(terms.form, form);
    const key = soundKey(terms.form);
    this.#link(form, key === "" ? 0 : this.#sounds.add(key));
    return form;
  }

  /** Returns up to `limit` forms with a key of sound, numbers above `after` and up to `last`, ascending. */
  sounding(key: string, { after, last, limit }: { after: number; last: number; limit: number }): SoundingWord[] {
    const found: SoundingWord[] = [];
    const sound = this.#sounds.find(key);
    if (sound === 0) return found;
    for (let form = this.#first[sound] ?? 0; form !== 0 && form <= last && found.length < limit; ) {
      if (form > after) found.push({ text: this.#forms.text(form), id: form });
      form = this.#next[form] ?? 0;
    }
    return found;
  }

  /** Returns the words as they can be written to disk; what is added later leaves these arrays alone. */
  columns(): WordColumns {
    const { vocabulary } = this;
    const count = this.#forms.size + 1;
    return {
      forms: this.#forms.columns(),
      terms: this.#terms.columns(),
      sounds: this.#sounds.columns(),
      trie: this.#trie.columns(),
      soundOf: this.#soundOf.subarray(0, count),
      stems: vocabulary.stems.subarray(0, count),
      roots: vocabulary.roots.subarray(0, count),
      several: Uint32Array.from([...vocabulary.several].flatMap(([form, list]) => [form, list.length, ...list])),
    };
  }

  /** Fills these, which are empty. Throws {@link RangeError} where the columns do not fit each other. */
  restore({ forms, terms, sounds, soundOf, stems, roots, several, trie }: WordColumns): void {
    this.#forms.restore(forms);
    this.#terms.restore(terms);
    this.#sounds.restore(sounds);
    const count = this.#forms.size + 1;
    if ([soundOf, stems, roots].some(({ length }) => length !== count)) throw new RangeError("words and terms differ");
    const further = new Map<number, readonly number[]>();
    for (let i = 0; i < several.length; ) {
      const [form = 0, length = 0] = several.subarray(i, i + 2);
      further.set(form, Array.from(several.subarray(i + 2, i + 2 + length)));
      i += 2 + length;
    }
    this.vocabulary.restore({ stems, roots, several: further, terms: this.#terms.size });
    this.#trie.restore(trie);
    for (let form = 1; form < count; form++) this.#link(form, soundOf[form] ?? 0);
  }

  #link(form: number, sound: number): void {
    this.#soundOf = grown(this.#soundOf, form + 1, make);
    this.#soundOf[form] = sound;
    if (sound === 0) return;
    this.#first = grown(this.#first, sound + 1, make);
    this.#last = grown(this.#last, sound + 1, make);
    this.#next = grown(this.#next, form + 1, make);
    const last = this.#last[sound] ?? 0;
    if (last === 0) this.#first[sound] = form;
    else this.#next[last] = form;
    this.#last[sound] = form;
  }
}

/** A form of a sound. */
type SoundingWord = { text: string; id: number };
