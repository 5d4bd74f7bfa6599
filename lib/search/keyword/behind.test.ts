import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openForWriting } from "./database.ts";
import { Follower } from "./follow.ts";
import { search, translation } from "./search.ts";
import { Statements } from "./statements.ts";
import type { KeywordDoc } from "./types.ts";
import { IndexWriter } from "./writer.ts";

const document = (articleId: number, content: string): KeywordDoc => ({
  ...{ articleId, title: "Harbour", content, lang: "en", sourceId: "wire", categoryId: null },
  ...{ domain: "news.example", tier: 3, publishedAt: null },
});

test("a search while articles are written finds what was there, though the database has numbers of newer words", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-keyword-"));
  const statements = new Statements(openForWriting(dir).db);
  const writer = new IndexWriter(statements);
  writer.upsert([document(1, "The ferry line stays open."), document(2, "يبقى خط العبارات مفتوحا.")]);
  const follower = new Follower(statements);
  while (!follower.step());
  const words = Array.from({ length: 4_000 }, (_, i) => `word${i}x`);
  writer.upsert([document(3, words.join(" "))]);
  const { projection, numbers } = follower;
  expect(numbers.term("word3999x")).toBeGreaterThan(projection.documents.length);
  for (const text of ["ferry word3999x", "word3998x word3999x ferry", '"ferry line" word3999x', "ferry -word3999x"]) {
    expect([text, ...search(projection, numbers, { text, limit: 10 }).articleIds]).toEqual([text, 1]);
  }
  expect(translation(projection, numbers, "word3999x")).toBe("");
  statements.db.close();
  rmSync(dir, { recursive: true });
});
