import { expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { Projection } from "./projection.ts";
import { evaluate, frequencyTable, inverseFrequency, scoreOf, type WeightedTerm } from "./score.ts";
import { type RandomDocument, randomDocument, randomNumbers, rowOf, stemOf, vocabularyOf } from "./testing/random.ts";
import { Top } from "./top.ts";

/** The score of a document by the formula, in the order and with the rounding of the index. */
function naiveScore(document: RandomDocument, terms: readonly WeightedTerm[], meanLength: number): number {
  const length = document.title.length + document.content.length;
  let score = 0;
  for (const { term, weight } of terms) {
    const count = (forms: readonly number[]) => forms.filter((form) => stemOf(form) === term).length;
    const frequency = 3 * Math.min(3, count(document.title)) + Math.min(63, count(document.content));
    const norm = 1.2 * 0.25 + ((1.2 * 0.75) / meanLength) * length;
    if (frequency > 0) score = Math.fround(score + (weight * 2.2 * frequency) / (frequency + norm));
  }
  return score;
}

test("the best are those of a plain count over all documents, whatever the segments, removals and masks", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomNumbers(seed);
    const projection = new Projection();
    projection.vocabulary.add(1, vocabularyOf());
    const documents = new Map<number, RandomDocument>();
    for (let seq = 1; seq <= 600; ) {
      const batch = Array.from({ length: 1 + random(90) }, () => randomDocument(1 + random(400), seq++, random));
      projection.add(batch.map(rowOf));
      for (const document of batch) documents.set(document.id, document);
      for (let i = random(12); i > 0; i--) {
        const id = 1 + random(400);
        projection.remove(id, seq++);
        documents.delete(id);
      }
      while (random(3) === 0 && !projection.merge(0.05));
    }
    const all = [...documents.values()];
    expect(projection.count).toBe(all.length);
    expect(projection.length).toBe(all.reduce((sum, { title, content }) => sum + title.length + content.length, 0));

    for (let query = 0; query < 10; query++) {
      const meanLength = projection.length / projection.count;
      const terms = [...new Set(Array.from({ length: 1 + random(8) }, () => stemOf(1 + random(60))))]
        .map((term) => {
          const holding = all.filter(({ title, content }) => [...title, ...content].some((f) => stemOf(f) === term));
          expect(projection.documents[term] ?? 0).toBe(holding.length);
          return { term, weight: inverseFrequency(all.length, holding.length), frequencies: frequencyTable(3, 1) };
        })
        .sort((a, b) => b.weight - a.weight);
      const odd = random(2) === 0;
      const k = 1 + random(60);
      const top = new Top(k);
      projection.segments.forEach((segment, s) => {
        const passes = (doc: number) => segment.live[doc] === 1 && !(odd && at(segment.forward.ids, doc) % 2 === 0);
        const mask = Uint8Array.from({ length: segment.forward.count }, (_, doc) => Number(passes(doc)));
        evaluate(
          { terms, meanLength, window: 8 + random(64) },
          { segment, place: s, from: 0, to: mask.length, mask },
          top,
        );
      });
      const expected = all
        .filter(({ id }) => !odd || id % 2 === 1)
        .map((document) => ({ id: document.id, score: naiveScore(document, terms, meanLength) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || b.id - a.id)
        .slice(0, k);
      const { ids, scores, segments, docs } = top.ranking();
      expect(Array.from(ids, (id, i) => ({ id, score: at(scores, i) }))).toEqual(expected);
      if (ids.length > 0) {
        const segment = at(projection.segments, at(segments, 0));
        expect(scoreOf({ terms, meanLength }, segment, at(docs, 0))).toBe(at(scores, 0));
      }
    }
  }
});

test("groups of terms give the same best whether others are passed over or all are scored", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomNumbers(seed);
    const projection = new Projection();
    projection.vocabulary.add(1, vocabularyOf());
    const documents = Array.from({ length: 500 }, (_, i) => randomDocument(i + 1, i + 1, random));
    projection.add(documents.map(rowOf));
    const segment = at(projection.segments, 0);
    const frequencies = frequencyTable(3, 1);
    const termOf = () => stemOf(1 + random(60));
    const terms = [{ term: termOf(), weight: 1 + random(5), frequencies }];
    const groups = Array.from({ length: 1 + random(4) }, () => {
      const options = [...new Set([termOf(), termOf(), termOf()])].map((term) => ({
        term,
        share: 1 / (1 + random(4)),
      }));
      return { terms: options, weight: 1 + random(8), frequencies };
    });
    const best = (k: number, window: number) => {
      const top = new Top(k);
      const part = { segment, place: 0, from: 0, to: segment.forward.count, mask: undefined };
      evaluate({ terms, groups, meanLength: 40, window }, part, top);
      const { ids, scores } = top.ranking();
      return Array.from(ids, (id, i) => ({ id, score: at(scores, i) }));
    };
    expect(best(7, 20)).toEqual(best(500, 8192).slice(0, 7));
  }
});
