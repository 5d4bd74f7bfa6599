import { ARTICLE_FIELDS } from "../filters.ts";
import { verify } from "./checksum.ts";
import type { DocumentRow } from "./forward.ts";
import { Numbers } from "./numbers.ts";
import { Projection } from "./projection.ts";
import { SEGMENT_DOCS } from "./segment.ts";
import type { Statements } from "./statements.ts";
import { KeywordIndexError } from "./types.ts";
import { REMOVED_KEPT } from "./writer.ts";

const FIELDS = ARTICLE_FIELDS.map((field) => `"${field}"`).join(", ");

/** Keeps a projection of the index equal to what is in the database. */
export class Follower {
  readonly #statements: Statements;
  #projection = new Projection();
  #numbers: Numbers;
  #epoch: string | undefined;
  #dataVersion: unknown;
  /** The sequence numbers up to which documents, and removals, were read. */
  #seq = 0;
  #removed = 0;
  #tiers = -1;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#numbers = new Numbers(statements);
  }

  /** The numbers of words, as they are in the index that `current` gave. */
  get numbers(): Numbers {
    return this.#numbers;
  }

  /** The index as it is in the database now. */
  current(): Projection {
    // Changes whenever another connection has changed the database, and costs next to nothing.
    const dataVersion = this.#statements.get("pragma data_version")?.data_version;
    if (dataVersion !== this.#dataVersion) {
      while (!this.#step());
      this.#dataVersion = dataVersion;
    }
    return this.#projection;
  }

  /** Says that this connection has changed the database. */
  changed(): void {
    this.#dataVersion = undefined;
  }

  /** Applies the next changes, as they are at one moment. Returns whether there are no more. */
  #step(): boolean {
    return this.#statements.transaction("deferred", () => {
      const epoch = this.#statements.meta("epoch");
      const seq = this.#statements.counter("seq");
      if (epoch !== this.#epoch || seq - this.#removed > REMOVED_KEPT) this.#beginAnew(epoch, seq);
      this.#readTiers();
      this.#readVocabulary();
      const rows = this.#readDocuments();
      this.#projection.add(rows);
      this.#readRemoved();
      return rows.length < SEGMENT_DOCS;
    });
  }

  #beginAnew(epoch: string | undefined, seq: number): void {
    this.#epoch = epoch;
    this.#projection = new Projection();
    this.#numbers = new Numbers(this.#statements);
    this.#seq = 0;
    this.#removed = seq;
    this.#tiers = -1;
  }

  #readTiers(): void {
    const tiers = this.#statements.counter("tiers");
    if (tiers === this.#tiers) return;
    const rows = this.#statements.all('select "sourceId", tier from source');
    this.#projection.tiers = new Map(rows.map((row) => [String(row.sourceId), Number(row.tier)]));
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

  #readDocuments(): DocumentRow[] {
    const rows = this.#statements.all(
      `select seq, id, ${FIELDS}, words, checksum from doc where seq > ? order by seq limit ?`,
      ...[this.#seq, SEGMENT_DOCS],
    );
    return rows.map((row) => {
      const [seq, id] = [Number(row.seq), Number(row.id)];
      const fields = ARTICLE_FIELDS.map((field) => fieldOf(row[field]));
      const words = bytesOf(row.words);
      verify(row.checksum, [seq, id, ...fields], words);
      this.#seq = seq;
      return { id, seq, fields, words };
    });
  }

  #readRemoved(): void {
    const rows = this.#statements.all("select seq, id from removed where seq > ? order by seq", this.#removed);
    for (const { seq, id } of rows) {
      this.#projection.remove(Number(id), Number(seq));
      this.#removed = Number(seq);
    }
  }
}

function fieldOf(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw damaged("a field is no text and no number");
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw damaged("a document has no words");
}

function damaged(reason: string): KeywordIndexError {
  return new KeywordIndexError("corrupt", `keyword index: ${reason}`);
}
