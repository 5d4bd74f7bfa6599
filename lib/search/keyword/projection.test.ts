import { expect, test } from "bun:test";
import { VarintWriter } from "./postings.ts";
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
