import { randomUUID } from "node:crypto";
import { ARTICLE_FIELDS, comparable } from "../filters.ts";
import { checksum } from "./checksum.ts";
import { DocumentEncoder } from "./document.ts";
import type { Statements } from "./statements.ts";
import type { KeywordDoc } from "./types.ts";
import { VocabularyWriter } from "./vocabulary-writer.ts";

const INSERT_DOC = `insert into doc values (?, ?${", ?".repeat(ARTICLE_FIELDS.length)}, ?, ?)`;

/** How many changes back `removed` goes; who follows from further back reads everything again. */
export const REMOVED_KEPT = 1_000_000;

/** Changes the tables of an index, each method in one transaction. */
export class IndexWriter {
  readonly #statements: Statements;
  readonly #vocabulary: VocabularyWriter;
  readonly #encoder: DocumentEncoder;
  /** Of what the vocabulary's memory is. */
  #epoch: string | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#vocabulary = new VocabularyWriter(statements);
    this.#encoder = new DocumentEncoder((terms) => this.#vocabulary.form(terms));
  }

  upsert(docs: readonly KeywordDoc[]): void {
    this.#change(() => {
      let seq = this.#statements.counter("seq");
      for (const doc of docs) {
        this.#statements.run("delete from doc where id = ?", doc.articleId);
        this.#putTier(doc.sourceId, doc.tier);
        const values = [doc.articleId, ...ARTICLE_FIELDS.map((field) => comparable(doc, field))];
        const words = this.#encoder.encode(doc);
        this.#statements.run(INSERT_DOC, ++seq, ...values, words, checksum([seq, ...values], words));
      }
      this.#statements.setCounter("seq", seq);
    });
  }

  remove(articleIds: readonly number[]): void {
    this.#change(() => {
      let seq = this.#statements.counter("seq");
      for (const id of articleIds) {
        if (this.#statements.run("delete from doc where id = ?", id) === 0) continue;
        this.#statements.run("insert into removed values (?, ?)", ++seq, id);
      }
      this.#statements.run("delete from removed where seq <= ?", seq - REMOVED_KEPT);
      this.#statements.setCounter("seq", seq);
    });
  }

  setTier(sourceId: string, tier: number): void {
    this.#statements.transaction("immediate", () => this.#putTier(sourceId, tier));
  }

  markComplete(): void {
    this.#statements.run("insert or ignore into meta values ('complete', '1')");
  }

  /** Empties the index. The sequence goes on, so that nobody takes a new document for an old one. */
  clear(): void {
    this.#statements.transaction("immediate", () => {
      for (const table of ["doc", "removed", "vocabulary", "form", "term"])
        this.#statements.run(`delete from ${table}`);
      this.#statements.run("delete from meta where key in ('complete', 'forms', 'terms')");
      this.#statements.setMeta("epoch", randomUUID());
    });
  }

  #putTier(sourceId: string, tier: number): void {
    const changed = this.#statements.run(
      "insert into source values (?, ?, ?) on conflict do update set tier = excluded.tier, checksum = excluded.checksum where tier <> excluded.tier",
      ...[sourceId, tier, checksum([sourceId, tier])],
    );
    if (changed > 0) this.#statements.setCounter("tiers", this.#statements.counter("tiers") + 1);
  }

  #change(work: () => void): void {
    try {
      this.#statements.transaction("immediate", () => {
        const epoch = this.#statements.meta("epoch");
        if (epoch !== this.#epoch) this.#vocabulary.forget();
        this.#epoch = epoch;
        this.#vocabulary.begin();
        work();
        this.#vocabulary.commit();
      });
    } catch (error) {
      this.#vocabulary.forget();
      throw error;
    }
  }
}
