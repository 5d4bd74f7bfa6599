import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHeldOut } from "../retrieval-sets.ts";
import { heldOutTitles } from "./retrieval.ts";

const news = mkdtempSync(join(tmpdir(), "isnad-titles-"));
afterAll(() => rmSync(news, { recursive: true }));

const rows = Array.from({ length: 200 }, (_, i) => ({
  title: `Headline number ${i}`,
  text: `${i} ${"words of the body ".repeat(20)}`,
  abstract: `${i} ${"an abstract ".repeat(10)}`,
}));
writeFileSync(join(news, "english.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
const held = rows.filter(({ text }) => isHeldOut(text));

test.each(["body", "abstract"] as const)("each held-out title asks for the %s of its own article", (part) => {
  const { documents, queries, grades } = heldOutTitles(news, "en", part);
  expect(queries.map(({ text }) => text)).toEqual(held.map(({ title }) => title));
  for (const [i, { id }] of queries.entries()) {
    const [wanted] = [...(grades.get(id)?.keys() ?? [])];
    const document = documents.find((each) => each.id === wanted);
    expect(document).toMatchObject({ title: "", text: part === "body" ? held[i]?.text : held[i]?.abstract });
  }
});

test("a title or a text that came before, and what is too short, is left out", () => {
  const [first] = held;
  writeFileSync(
    join(news, "ant_v2_ar.jsonl"),
    [first, first, { ...first, title: "short" }, { ...first, title: "Another headline", abstract: "too short" }]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  );
  expect(heldOutTitles(news, "ar", "body").queries).toHaveLength(1);
  expect(heldOutTitles(news, "ar", "abstract").queries).toHaveLength(1);
});
