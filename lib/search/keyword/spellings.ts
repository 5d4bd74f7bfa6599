import { BoundedMap } from "../../std/mod.ts";
import { romanised, soundKey } from "../../text/mod.ts";
import { spellingsOf } from "../translate/names.ts";
import { type Script, scriptOf } from "../translate/translate.ts";
import type { Words } from "./words.ts";

/** Words of one sound that are compared at most: those met first are the common ones. */
const MOST_ALIKE = 400;
/** Words whose spellings in the other script are remembered. */
const REMEMBERED = 20_000;
/** Words of the index that are remembered by their sound: about 100 bytes each. */
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
