import { BoundedMap } from "../../std/index.ts";
import { romanised, soundKey, type WordTerms } from "../../text/index.ts";
import { spellingsOf } from "../translate/names.ts";
import { type Script, scriptOf } from "../translate/translate.ts";
import type { Statements } from "./statements.ts";

/** Texts whose numbers are remembered. */
const REMEMBERED = 20_000;
/** Words of one sound that are compared at most: those met first are the common ones. */
const MOST_ALIKE = 400;

/** Words whose spellings in the other script are remembered. */
const REMEMBERED_SPELT = 20_000;
const ALIKE = "select text, id from form where sound = ? and id > ? and id <= ? order by id limit ?";

/** A word of the index that may be a word of a query in the other script, and how far it is from how that sounds. */
export type Spelling = { form: string; number: number; distance: number };

/** The spellings of a word, of the `compared` words that have its key of sound and numbers up to `last`. */
type Spelt = { key: string; compared: number; last: number; spellings: readonly Spelling[] };

/** What gives the forms and terms of a query their numbers; without `spellings` a query is not translated. */
export type TermNumbers = Pick<Numbers, "form" | "term"> & Partial<Pick<Numbers, "spellings">>;

/** The numbers of forms and terms as a query needs them; 0 for what no document has had. */
export class Numbers {
  readonly #statements: Statements;
  readonly #known = {
    form: new BoundedMap<string, number>(REMEMBERED),
    term: new BoundedMap<string, number>(REMEMBERED),
  };
  /** Texts that were not there when it was looked last. */
  readonly #absent = { form: new BoundedMap<string, true>(REMEMBERED), term: new BoundedMap<string, true>(REMEMBERED) };
  readonly #spelt = new BoundedMap<string, Spelt>(REMEMBERED_SPELT);

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  form({ form }: WordTerms): number {
    return this.#find("form", form);
  }

  term(text: string): number {
    return this.#find("term", text);
  }

  /** Says that the index has changed: what was not there may be. */
  changed(): void {
    this.#absent.form.clear();
    this.#absent.term.clear();
  }

  /**
   * Words of the other script `to`, with numbers up to `last`, that may be spellings of a word in normal form. What was
   * compared once is not read again: to read it takes longer than all else that is done with it.
   */
  spellings(word: string, to: Script, last: number): readonly Spelling[] {
    const asked = `${to} ${word}`;
    const known = this.#spelt.get(asked) ?? { key: soundKey(word), compared: 0, last: 0, spellings: [] };
    const { key, compared } = known;
    if (known.last >= last || compared === MOST_ALIKE) return known.spellings;
    const rows = key === "" ? [] : this.#statements.all(ALIKE, key, known.last, last, MOST_ALIKE - compared);
    const others = rows.flatMap(({ text, id }) => {
      const form = String(text);
      return scriptOf(form) === to ? [{ form, number: Number(id), sound: romanised(form) }] : [];
    });
    const more = spellingsOf(word, others).map(({ form, number, distance }) => ({ form, number, distance }));
    const spellings = [...known.spellings, ...more];
    this.#spelt.set(asked, { key, compared: compared + rows.length, last, spellings });
    return spellings;
  }

  #find(table: "form" | "term", text: string): number {
    const known = this.#known[table].get(text);
    if (known !== undefined) return known;
    if (this.#absent[table].get(text) !== undefined) return 0;
    const row = this.#statements.get(`select id from ${table} where text = ?`, text);
    const id = Number(row?.id ?? 0);
    if (id !== 0) this.#known[table].set(text, id);
    else this.#absent[table].set(text, true);
    return id;
  }
}
