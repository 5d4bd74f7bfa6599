import { soundKey, type WordTerms } from "../../text/mod.ts";
import { checksum } from "./checksum.ts";
import type { Statements } from "./statements.ts";
import { VarintWriter } from "./varint.ts";

/** Forms and terms remembered; all are forgotten when there are more. */
const REMEMBERED = 400_000;

/** Gives the words of documents their numbers, and writes those that are new, in the transactions of one writer. */
export class VocabularyWriter {
  readonly #statements: Statements;
  readonly #forms = new Map<string, number>();
  readonly #terms = new Map<string, number>();
  readonly #parts = new VarintWriter();
  /** The numbers given out before this transaction began, and so far. */
  #before = 0;
  #lastForm = 0;
  #lastTerm = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Begins a transaction. */
  begin(): void {
    this.#lastForm = this.#before = this.#statements.counter("forms");
    this.#lastTerm = this.#statements.counter("terms");
  }

  /** Writes what the transaction added. */
  commit(): void {
    if (this.#lastForm === this.#before) return;
    const [first, terms] = [this.#before + 1, this.#parts.take()];
    this.#statements.run("insert into vocabulary values (?, ?, ?)", first, terms, checksum([first], terms));
    this.#statements.setCounter("forms", this.#lastForm);
    this.#statements.setCounter("terms", this.#lastTerm);
  }

  /** Forgets everything: after a transaction that was taken back, or when the tables are others. */
  forget(): void {
    this.#parts.take();
    this.#forms.clear();
    this.#terms.clear();
  }

  /** The number of a word's form. */
  form(terms: WordTerms): number {
    const known = this.#forms.get(terms.form) ?? this.#find("form", terms.form);
    if (known !== undefined) return remember(this.#forms, terms.form, known);
    const id = ++this.#lastForm;
    this.#statements.run("insert into form values (?, ?, ?)", terms.form, id, soundKey(terms.form) || null);
    for (const list of [terms.stems, terms.coarse]) {
      this.#parts.write(list.length);
      for (const text of list) this.#parts.write(this.#term(text));
    }
    return remember(this.#forms, terms.form, id);
  }

  #term(text: string): number {
    const known = this.#terms.get(text) ?? this.#find("term", text);
    if (known !== undefined) return remember(this.#terms, text, known);
    const id = ++this.#lastTerm;
    this.#statements.run("insert into term values (?, ?)", text, id);
    return remember(this.#terms, text, id);
  }

  #find(table: "form" | "term", text: string): number | undefined {
    const row = this.#statements.get(`select id from ${table} where text = ?`, text);
    return row === undefined ? undefined : Number(row.id);
  }
}

function remember(numbers: Map<string, number>, text: string, id: number): number {
  if (numbers.size >= REMEMBERED) numbers.clear();
  numbers.set(text, id);
  return id;
}
