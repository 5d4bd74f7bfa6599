import { expect, test } from "bun:test";
import { createEmbedder, createReranker, openRegistry } from "@isnad/lib/models";
import { indexCollection } from "../hybrid/indexed.ts";
import { measureAnswers } from "./measure.ts";

test("counts the questions whose shown sentences hold an answer, beside what the right passage would give", async () => {
  const registry = openRegistry();
  await using models = new AsyncDisposableStack();
  const embedder = await createEmbedder({ registry, timeoutMs: 60_000 });
  models.defer(() => embedder.close());
  const reranker = await createReranker({ registry, timeoutMs: 60_000 });
  models.defer(() => reranker.close());
  const passages = [
    ["Ferry to Noma", "The ferry was built in 1961. It carries forty cars. Its captain is Salma Haddad."],
    ["Bridge of Sahlan", "The bridge opened in 2019. It is 900 metres long. It cost 38 million dinars."],
    ["Olive harvest", "Farmers begin in October. The oil is pressed in Sahlan. Rain was rare."],
  ].map(([title = "", text = ""], i) => ({ id: String(i + 1), title, text }));
  const questions = [
    { id: "a", text: "How much did the bridge of Sahlan cost?", answers: ["38 million", "38m"], passage: 1 },
    { id: "b", text: "Who is the captain of the ferry to Noma?", answers: ["SALMA HADDAD"], passage: 0 },
    { id: "c", text: "When did the bridge of Sahlan open?", answers: ["nowhere said"], passage: 1 },
  ];
  await using indexed = await indexCollection({ documents: passages }, embedder);
  const { figures, predictions } = await measureAnswers({ ...indexed, embedder, reranker }, { passages, questions });
  expect(figures).toMatchObject({ "within 3": 2 / 3, "reader within 3": 2 / 3, retrieved: 1 });
  expect(figures["within 1"]).toBeLessThanOrEqual(figures["within 3"]);
  expect(predictions.map((line) => line.split("\t").slice(0, 2))).toEqual([
    ["a", "1"],
    ["b", "1"],
    ["c", "0"],
  ]);
});
