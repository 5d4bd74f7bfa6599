import { describe, expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { documentsWithAll, VarintWriter } from "./postings.ts";
import { Projection } from "./projection.ts";
import { randomNumbers, rowOf } from "./testing/random.ts";

/** Forms of each script; Arabic ones, the first, have a root. */
const FORMS = 10;

function vocabularyOfTwoScripts(): Uint8Array {
  const writer = new VarintWriter();
  for (let form = 1; form <= 2 * FORMS; form++) {
    for (const number of form <= FORMS ? [1, form, 1, 2 * FORMS + 1] : [1, form, 0]) writer.write(number);
  }
  return writer.take();
}

test("documents in Arabic come first in every segment, however it came about, and are counted", () => {
  const random = randomNumbers(3);
  const projection = new Projection();
  projection.vocabulary.add(1, vocabularyOfTwoScripts());
  /** Whether the document of an id is in Arabic. */
  const inArabic = new Map<number, boolean>();
  for (let seq = 1; seq <= 900; ) {
    const documents = Array.from({ length: 1 + random(60) }, () => {
      const [id, arabic] = [1 + random(500), random(2) === 0];
      inArabic.set(id, arabic);
      const words = (count: number) => Array.from({ length: count }, () => 1 + random(FORMS) + (arabic ? 0 : FORMS));
      return rowOf({ id, seq: seq++, title: words(3), content: words(20) });
    });
    projection.add(documents);
    const removed = 1 + random(500);
    projection.remove(removed, seq++);
    inArabic.delete(removed);
    if (random(3) === 0) projection.merge(2);
  }
  expect(projection.count).toBe(inArabic.size);
  for (const { forward, live, latin, inArabic: counted } of projection.segments) {
    const docs = Array.from({ length: forward.count }, (_, doc) => doc).filter((doc) => live[doc] === 1);
    expect(docs.map((doc) => doc < latin)).toEqual(docs.map((doc) => inArabic.get(forward.ids[doc] ?? 0) === true));
    expect(counted).toBe(docs.filter((doc) => doc < latin).length);
  }
  expect(projection.segments.some(({ forward }) => forward.count > 60)).toBe(true);
});

/** A projection whose forms from 1 to 20 have one stem each, of the same number. */
function ofSingleStems(): Projection {
  const writer = new VarintWriter();
  for (let form = 1; form <= 20; form++) for (const number of [1, form, 0]) writer.write(number);
  const projection = new Projection();
  projection.vocabulary.add(1, writer.take());
  return projection;
}

const document = (id: number, seq: number, title: number[], content: number[] = []) =>
  rowOf({ id, seq, title, content });

describe("a projection", () => {
  test("counts of each term its documents, and of each form its uses, whatever is replaced and taken out", () => {
    const projection = ofSingleStems();
    const counts = () => [1, 2, 3].map((term) => [projection.documents[term] ?? 0, projection.uses[term] ?? 0]);
    projection.add([document(1, 1, [1, 1], [2]), document(2, 2, [1])]);
    expect(counts()).toEqual([
      [2, 3],
      [1, 1],
      [0, 0],
    ]);
    projection.add([document(1, 3, [3], [3, 1])]);
    expect(counts()).toEqual([
      [2, 2],
      [0, 0],
      [1, 2],
    ]);
    expect([projection.count, projection.length]).toEqual([2, 4]);
    projection.remove(1, 4);
    projection.remove(2, 5);
    expect(counts()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect([projection.count, projection.length]).toEqual([0, 0]);
  });

  test("takes out what is older alone: a document of the same number or a later one stays", () => {
    const projection = ofSingleStems();
    projection.add([document(1, 5, [1])]);
    const { changes } = projection;
    for (const seq of [1, 4, 5]) projection.remove(1, seq);
    projection.remove(2, 99);
    expect([projection.count, projection.changes]).toEqual([1, changes]);
    projection.remove(1, 6);
    expect(projection.count).toBe(0);
    expect(projection.changes).toBeGreaterThan(changes);
  });

  test("keeps the last of the documents of one id that come together, and of none makes no segment", () => {
    const projection = ofSingleStems();
    projection.add([]);
    expect(projection.segments).toEqual([]);
    projection.add([document(1, 1, [1]), document(2, 2, [2]), document(1, 3, [3])]);
    expect([projection.count, projection.documents[1], projection.documents[3]]).toEqual([2, 0, 1]);
  });

  test("lists its ids in pages that together are all of them, ascending", () => {
    const random = randomNumbers(9);
    const projection = ofSingleStems();
    const ids = new Set<number>();
    for (let seq = 1; seq < 500; seq++) {
      const id = 1 + random(2_000);
      if (random(4) === 0) {
        projection.remove(id, seq);
        ids.delete(id);
      } else {
        projection.add([document(id, seq, [1 + random(20)])]);
        ids.add(id);
      }
    }
    const expected = [...ids].sort((a, b) => a - b);
    for (const limit of [1, 7, 10_000]) {
      const listed: number[] = [];
      for (
        let page = projection.idsAfter(0, limit);
        page.length > 0;
        page = projection.idsAfter(page.at(-1) ?? 0, limit)
      ) {
        expect(page.length).toBeLessThanOrEqual(limit);
        listed.push(...page);
      }
      expect(listed).toEqual(expected);
    }
    expect(projection.idsAfter(expected.at(-1) ?? 0, 10)).toEqual([]);
    expect(projection.idsAfter(at(expected, 0) - 1, 1)).toEqual(expected.slice(0, 1));
  });

  test("makes one segment of eight that are alike, and clears one out of which more than half was taken", () => {
    const projection = ofSingleStems();
    for (let id = 1; id <= 7; id++) projection.add([document(id, id, [id])]);
    expect(projection.segments).toHaveLength(7);
    projection.add([document(8, 8, [8])]);
    expect(projection.segments.map(({ size }) => size)).toEqual([8]);
    for (const id of [1, 2, 3, 4]) projection.remove(id, 9);
    // Half of it is left.
    expect(projection.merge(1_000)).toBe(true);
    expect(projection.segments.map(({ forward, size }) => [forward.count, size])).toEqual([[8, 4]]);
    projection.remove(5, 10);
    expect(projection.merge(1_000)).toBe(true);
    expect(projection.segments.map(({ forward }) => [...forward.ids])).toEqual([[6, 7, 8]]);
    for (const id of [6, 7, 8]) projection.remove(id, 11);
    expect(projection.merge(1_000)).toBe(true);
    expect(projection.segments).toEqual([]);
  });

  test("that was merged in the midst of changes is one that was built of what is left", () => {
    const random = randomNumbers(31);
    const projection = ofSingleStems();
    const rows = new Map<number, ReturnType<typeof document>>();
    const words = (count: number) => Array.from({ length: random(count) }, () => 1 + random(20));
    for (let seq = 1; seq <= 3_000; ) {
      const batch = Array.from({ length: 250 }, () => document(1 + random(1_500), seq++, words(4), words(9)));
      projection.add(batch);
      for (const each of batch) rows.set(each.id, each);
      // A step or two of a merge, and documents that are taken out while it is in flight.
      projection.merge(0.01);
      for (let i = 0; i < 40; i++) {
        const id = 1 + random(1_500);
        projection.remove(id, seq++);
        rows.delete(id);
      }
    }
    while (!projection.merge(50));
    const fresh = ofSingleStems();
    fresh.add([...rows.values()]);
    const told = ({ documents, uses, count, length }: Projection) => ({
      ...{ documents: [...documents.subarray(1, 21)], uses: [...uses.subarray(1, 21)], count, length },
    });
    expect(told(projection)).toEqual(told(fresh));
    expect(projection.idsAfter(0, 10_000)).toEqual(fresh.idsAfter(0, 10_000));
    for (let term = 1; term <= 20; term++) {
      const idsOf = ({ segments }: Projection) =>
        segments
          .flatMap((segment) =>
            documentsWithAll(segment, [term])
              .filter((doc) => segment.live[doc] === 1)
              .map((doc) => at(segment.forward.ids, doc)),
          )
          .sort((a, b) => a - b);
      expect(idsOf(projection)).toEqual(idsOf(fresh));
    }
  });
});
