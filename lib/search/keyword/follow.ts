import { ARTICLE_FIELDS } from "../filters.ts";
import { verify } from "./checksum.ts";
import { asKeywordError } from "./faults.ts";
import type { DocumentRow } from "./forward.ts";
import { Numbers } from "./numbers.ts";
import { packed } from "./packed.ts";
import { Projection } from "./projection.ts";
import { SEGMENT_DOCS } from "./segment.ts";
import type { Statements } from "./statements.ts";
import { KeywordIndexError } from "./types.ts";
import { REMOVED_KEPT } from "./writer.ts";

const DOCUMENTS = `select seq, id, ${ARTICLE_FIELDS.map((field) => `"${field}"`).join(", ")}, words, checksum from doc
  where seq > ? order by seq limit ${SEGMENT_DOCS}`;

/** Keeps a projection of the index equal to what is in the database. */
export class Follower {
  readonly #statements: Statements;
  readonly #trusted: boolean;
  #projection = new Projection();
  #numbers: Numbers;
  #epoch: string | undefined;
  #dataVersion: unknown;
  /** Why the last step failed, and what it tried to read. */
  #failure: { error: unknown; dataVersion: unknown } | undefined;
  /** The sequence numbers up to which documents, and removals, were read. */
  #seq = 0;
  #removed = 0;
  #tiers = -1;
  #isComplete = false;
  #isSound = false;

  /** `trusted`: the tables need not be compared with their indexes, because this process writes them. */
  constructor(statements: Statements, { trusted = false }: { trusted?: boolean } = {}) {
    this.#statements = statements;
    this.#trusted = trusted;
    this.#numbers = new Numbers(statements);
  }

  /** Which index was read: another one when it was emptied or made anew. */
  get epoch(): string | undefined {
    return this.#epoch;
  }

  /** The index as it was after the last step. */
  get projection(): Projection {
    return this.#projection;
  }

  /** The numbers of words in that index. */
  get numbers(): Numbers {
    return this.#numbers;
  }

  /** Whether the index had been filled once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** What was found damaged at the last step, as long as the database has not changed since. */
  get damage(): unknown {
    return this.#failure !== undefined && this.#failure.dataVersion === this.#readDataVersion()
      ? this.#failure.error
      : undefined;
  }

  /** Whether that is how it is in the database now. Costs next to nothing. */
  isCurrent(): boolean {
    return this.#dataVersion !== undefined && this.#readDataVersion() === this.#dataVersion;
  }

  /** Says that this connection has changed the database. */
  changed(): void {
    this.#dataVersion = undefined;
  }

  /** Applies the next changes, up to those of a whole segment. Returns whether there are no more. */
  step(): boolean {
    const dataVersion = this.#readDataVersion();
    // What was damaged is read again when it has changed.
    if (this.damage !== undefined) throw this.damage;
    this.#failure = undefined;
    this.#numbers.changed();
    try {
      const complete = this.#statements.transaction("deferred", () => this.#read());
      if (complete) this.#dataVersion = dataVersion;
      return complete;
    } catch (error) {
      if (asKeywordError(error).reason === "corrupt") this.#failure = { error, dataVersion };
      throw error;
    }
  }

  #read(): boolean {
    const epoch = this.#statements.meta("epoch");
    const seq = this.#statements.counter("seq");
    if (epoch !== this.#epoch || seq - this.#removed > REMOVED_KEPT) this.#beginAnew(epoch, seq);
    this.#assertSound();
    this.#isComplete = this.#statements.meta("complete") !== undefined;
    this.#readTiers();
    this.#readVocabulary();
    return this.#readDocuments(seq);
  }

  /** Changes whenever another connection has changed the database. */
  #readDataVersion(): unknown {
    return this.#statements.get("pragma data_version")?.data_version;
  }

  #beginAnew(epoch: string | undefined, seq: number): void {
    this.#epoch = epoch;
    this.#isSound = false;
    this.#projection = new Projection();
    this.#numbers = new Numbers(this.#statements);
    this.#seq = 0;
    this.#removed = seq;
    this.#tiers = -1;
  }

  /**
   * Compares all tables with their indexes once: forms and terms are looked up as queries need them, and have no
   * checksums. 1.2 to 1.7 µs a form.
   */
  #assertSound(): void {
    if (this.#isSound || this.#trusted) return;
    const [found] = this.#statements.all("pragma integrity_check(1)");
    if (found?.integrity_check !== "ok") throw damaged("its tables and their indexes differ");
    this.#isSound = true;
  }

  #readTiers(): void {
    const tiers = this.#statements.counter("tiers");
    if (tiers === this.#tiers) return;
    const rows = this.#statements.all("select * from source").map((row): [string, number] => {
      const [source, tier] = [String(row.sourceId), Number(row.tier)];
      verify(row.checksum, [source, tier]);
      return [source, tier];
    });
    this.#projection.tiers = new Map(rows);
    this.#tiers = tiers;
  }

  #readVocabulary(): void {
    const { vocabulary } = this.#projection;
    const rows = this.#statements.all("select * from vocabulary where first > ? order by first", vocabulary.forms);
    for (const { first, terms, checksum } of rows) {
      verify(checksum, [Number(first)], bytesOf(terms));
      if (Number(first) !== vocabulary.forms + 1) throw damaged("forms are missing");
      vocabulary.add(Number(first), bytesOf(terms));
    }
  }

  /** Returns whether there are no more. */
  #readDocuments(seq: number): boolean {
    const rows = this.#statements.all(DOCUMENTS, this.#seq).map(documentOf);
    const removed = this.#statements.all("select seq, id from removed where seq > ? order by seq", this.#removed);
    this.#projection.add(rows);
    for (const row of removed) this.#projection.remove(Number(row.id), Number(row.seq));
    const complete = rows.length < SEGMENT_DOCS;
    this.#seq = complete ? seq : (rows.at(-1)?.seq ?? seq);
    this.#removed = Math.max(this.#removed, seq);
    return complete;
  }
}

function documentOf(row: Record<string, unknown>): DocumentRow {
  const [seq, id] = [Number(row.seq), Number(row.id)];
  const fields = ARTICLE_FIELDS.map((field) => fieldOf(row[field]));
  const words = bytesOf(row.words);
  verify(row.checksum, [seq, id, ...fields], words);
  return { id, seq, fields, words: packed(words) };
}

function fieldOf(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw damaged("a field is no text and no number");
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw damaged("words are missing");
}

function damaged(reason: string): KeywordIndexError {
  return new KeywordIndexError("corrupt", `keyword index: ${reason}`);
}
