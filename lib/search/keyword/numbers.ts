import { BoundedMap } from "../../std/index.ts";
import type { WordTerms } from "../../text/index.ts";
import type { Statements } from "./statements.ts";

/** Texts whose numbers are remembered. */
const REMEMBERED = 20_000;
/** Words of one sound that are compared at most: those met first are the common ones. */
const MOST_ALIKE = 400;

/** What gives the forms and terms of a query their numbers; without `bySound` a query is not translated. */
export type TermNumbers = Pick<Numbers, "form" | "term"> & Partial<Pick<Numbers, "bySound">>;

/** The numbers of forms and terms as a query needs them; 0 for what no document has had. */
export class Numbers {
  readonly #statements: Statements;
  readonly #known = {
    form: new BoundedMap<string, number>(REMEMBERED),
    term: new BoundedMap<string, number>(REMEMBERED),
  };

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  form({ form }: WordTerms): number {
    return this.#find("form", form);
  }

  term(text: string): number {
    return this.#find("term", text);
  }

  /** Words that have this key of how they sound, with their numbers; some hundreds at most. */
  bySound(key: string): { form: string; number: number }[] {
    const rows = this.#statements.all("select text, id from form where sound = ? order by id limit ?", key, MOST_ALIKE);
    return rows.map(({ text, id }) => ({ form: String(text), number: Number(id) }));
  }

  #find(table: "form" | "term", text: string): number {
    const known = this.#known[table].get(text);
    if (known !== undefined) return known;
    const row = this.#statements.get(`select id from ${table} where text = ?`, text);
    const id = Number(row?.id ?? 0);
    // What is not there yet may come.
    if (id !== 0) this.#known[table].set(text, id);
    return id;
  }
}
