import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { pieces, randomTexts } from "../../../text/testing.ts";
import { openRegistry } from "../../cards/registry.ts";
import { PASSAGES, passagesOf, vectorsId } from "./passage.ts";

test("PASSAGES is of the passages that are made of articles: who cuts them otherwise has all read anew", () => {
  const sentences = randomTexts(40, pieces.scripts).map((text) => `${text} المدرسة 3.14 U.S. ${text}. `);
  const contents = [
    "",
    "!?",
    "x".repeat(9_000),
    ...sentences.map((_, i) =>
      sentences
        .slice(0, i + 1)
        .join(i % 3 === 0 ? "\n" : "")
        .repeat(1 + (i % 7)),
    ),
  ];
  const passages = contents.map((content, i) => passagesOf({ title: i % 2 === 0 ? "عنوان" : "", content }));
  expect(passages.flat().length).toBeGreaterThan(100);
  expect(createHash("sha256").update(JSON.stringify(passages)).digest("hex").slice(0, 8)).toBe(PASSAGES);
});

test("vectors are of another kind with another model, another revision, and more or fewer pieces", () => {
  const registry = openRegistry();
  const card = registry.card(registry.default("rerank"));
  const ids = [{}, { name: "other" }, { revision: "0" }, { max_tokens: 64 }].map((over) =>
    vectorsId({ ...card, ...over }),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toStartWith(`${card.name}@${card.revision}.`);
  expect(ids[0]).toEndWith(`.${PASSAGES}`);
});
