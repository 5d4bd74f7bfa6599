import { BoundedMap } from "../../std/mod.ts";
import type { WordTerms } from "../../text/mod.ts";
import type { Script } from "../translate/translate.ts";
import { type Spelling, Spellings } from "./spellings.ts";
import type { Statements } from "./statements.ts";

/** Texts whose numbers are remembered. */
const REMEMBERED = 20_000;

/** What gives the forms and terms of a query their numbers; without the others a query is not translated. */
export type TermNumbers = Pick<Numbers, "form" | "term"> & Partial<Pick<Numbers, "text" | "spellings">>;

/** The numbers of forms and terms as a query needs them; 0 for what no document has had. */
export class Numbers {
  readonly #statements: Statements;
  readonly #known = {
    form: new BoundedMap<string, number>(REMEMBERED),
    term: new BoundedMap<string, number>(REMEMBERED),
  };
  /** Texts that were not there when it was looked last. */
  readonly #absent = { form: new BoundedMap<string, true>(REMEMBERED), term: new BoundedMap<string, true>(REMEMBERED) };
  readonly #texts = new BoundedMap<number, string>(REMEMBERED);
  readonly #spellings: Spellings;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#spellings = new Spellings(statements);
  }

  form({ form }: WordTerms): number {
    return this.#find("form", form);
  }

  term(text: string): number {
    return this.#find("term", text);
  }

  /** The text of a form that the index has. */
  text(form: number): string | undefined {
    const known = this.#texts.get(form);
    if (known !== undefined) return known;
    const row = this.#statements.get("select text from form where id = ?", form);
    if (row === undefined) return undefined;
    const text = String(row.text);
    this.#texts.set(form, text);
    return text;
  }

  /** Says that the index has changed: what was not there may be. */
  changed(): void {
    this.#absent.form.clear();
    this.#absent.term.clear();
  }

  /** See {@link Spellings.of}. */
  spellings(word: string, to: Script, last: number): readonly Spelling[] {
    return this.#spellings.of(word, to, last);
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
