import { describe, expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import {
  DocumentEncoder,
  documentsOf,
  documentsWithAll,
  firstFrom,
  hashForms,
  packed,
  postingsOf,
  readPacked,
  readVarints,
  VarintWriter,
} from "./postings.ts";
import { Projection } from "./projection.ts";
import { type RandomDocument, randomDocument, randomNumbers, rowOf, stemOf, vocabularyOf } from "./testing/random.ts";

describe("varints", () => {
  test.each([
    [0, [0]],
    [1, [1]],
    [127, [127]],
    [128, [0x80, 1]],
    [300, [0xac, 2]],
    [16_383, [0xff, 0x7f]],
    [16_384, [0x80, 0x80, 1]],
    [2 ** 28 - 1, [0xff, 0xff, 0xff, 0x7f]],
    [2 ** 32 - 1, [0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])("%d takes seven bits a byte, the lowest first", (number, bytes) => {
    const writer = new VarintWriter();
    writer.write(number);
    expect([...writer.take()]).toEqual(bytes);
  });

  test("what was taken is left alone by what is written later, of which there may be any amount", () => {
    const writer = new VarintWriter();
    expect(writer.take()).toHaveLength(0);
    writer.write(5);
    const first = writer.take();
    const numbers = Array.from({ length: 3_000 }, (_, i) => i * 7_919);
    for (const number of numbers) writer.write(number);
    const bytes = writer.take();
    const read = new Uint32Array(bytes.length);
    expect(readVarints(bytes, 0, bytes.length, read)).toBe(numbers.length);
    expect([...read.subarray(0, numbers.length)]).toEqual(numbers);
    expect([...first]).toEqual([5]);
    expect(writer.take()).toHaveLength(0);
  });

  test("are read between two places", () => {
    const writer = new VarintWriter();
    for (const number of [1, 300, 2, 70_000, 3]) writer.write(number);
    const bytes = writer.take();
    const read = new Uint32Array(8).fill(9);
    expect(readVarints(bytes, 1, 4, read)).toBe(2);
    expect([...read.subarray(0, 3)]).toEqual([300, 2, 9]);
    expect(readVarints(bytes, 4, 4, read)).toBe(0);
  });
});

test("numbers of every size are read as they were packed, the common ones in 16 bits", () => {
  const numbers = [0, 1, 127, 128, 61_439, 61_440, 65_535, 65_536, 1_000_000, 2 ** 28 - 1, 7];
  const writer = new VarintWriter();
  for (const number of numbers) writer.write(number);
  const units = packed(writer.take());
  expect(units).toHaveLength(numbers.length + 5);
  const read = new Uint32Array(units.length);
  expect(readPacked(units, 0, units.length, read)).toBe(numbers.length);
  expect([...read.subarray(0, numbers.length)]).toEqual(numbers);
  // From the first that takes two units on: 61,440, and the one after it.
  expect(readPacked(units, 5, 9, read)).toBe(2);
  expect([...read.subarray(0, 2)]).toEqual([61_440, 65_535]);
});

test("numbers are packed as they are, whatever was packed before", () => {
  const packedOf = (...numbers: number[]) => {
    const writer = new VarintWriter();
    for (const number of numbers) writer.write(number);
    return [...packed(writer.take())];
  };
  expect(packedOf(1, 70_000, 70_000)).toEqual([1, 0xf001, 4_464, 0xf001, 4_464]);
  expect(packedOf(1)).toEqual([1]);
  expect(packedOf()).toEqual([]);
});

test("a document is the number of its title's words, and its forms in order, nothing for what is no word", () => {
  const numbers = new Map<string, number>();
  const encoder = new DocumentEncoder(({ form }) => {
    numbers.set(form, numbers.get(form) ?? numbers.size + 1);
    return numbers.get(form) ?? 0;
  });
  const decoded = (title: string, content: string): number[] => {
    const bytes = encoder.encode({ title, content });
    const read = new Uint32Array(bytes.length);
    return [...read.subarray(0, readVarints(bytes, 0, bytes.length, read))];
  };
  expect(decoded("Port strike", "Strike at the port — port!")).toEqual([2, 1, 2, 2, 3, 4, 1, 1]);
  expect(decoded("", "port")).toEqual([0, 1]);
  expect(decoded("؟ 😀 …", "")).toEqual([0]);
  expect(decoded("مَرَّاكُش", "مراكش")).toEqual([1, 5, 5]);
});

test("titles have the same hash where they have the same forms in the same order, whatever stands around them", () => {
  const forms = Uint32Array.of(9, 4, 70_000, 5, 9);
  expect(hashForms(forms, 1, 4)).toBe(hashForms([4, 70_000, 5], 0, 3));
  const others = [[], [4], [4, 70_000], [70_000, 4, 5], [4, 5, 70_000], [4, 70_000 - 65_536, 5], [4, 70_000, 6]];
  const hashes = [[4, 70_000, 5], ...others].map((each) => hashForms(each, 0, each.length));
  expect(new Set(hashes).size).toBe(hashes.length);
  // The basis of FNV-1a, and what it gives for two units of 16 bits.
  expect(hashForms([], 0, 0)).toBe(0x811c9dc5);
  const step = (hash: bigint, unit: bigint) => ((hash ^ unit) * 0x01000193n) % 2n ** 32n;
  expect(hashForms([70_000], 0, 1)).toBe(Number(step(step(0x811c9dc5n, 70_000n % 65_536n), 1n)));
});

test("the first place of a number is found from any place on, at the ends and between too", () => {
  const random = randomNumbers(5);
  for (let round = 0; round < 200; round++) {
    const docs = Uint16Array.from({ length: random(40) }, () => random(60)).sort();
    const from = random(docs.length + 1);
    const to = from + random(docs.length + 1 - from);
    for (const doc of [0, random(60), random(60), 59, 61]) {
      const place = docs.findIndex((each, i) => i >= from && i < to && each >= doc);
      expect(firstFrom(docs, doc, from, to)).toBe(place === -1 ? to : place);
    }
  }
});

describe("of random documents in several segments", () => {
  const random = randomNumbers(17);
  const projection = new Projection();
  projection.vocabulary.add(1, vocabularyOf());
  const all = new Map<number, RandomDocument>();
  for (let seq = 1; seq <= 400; ) {
    const batch = Array.from({ length: 1 + random(80) }, () => randomDocument(1 + random(900), seq++, random));
    projection.add(batch.map(rowOf));
    for (const document of batch) all.set(document.id, document);
  }
  const isLive = (id: number, seq: number) => all.get(id)?.seq === seq;
  const idsIn = (documentsOfSegment: (segment: (typeof projection.segments)[number]) => number[]) =>
    projection.segments
      .flatMap((segment) =>
        documentsOfSegment(segment)
          .filter((doc) => isLive(at(segment.forward.ids, doc), at(segment.forward.seqs, doc)))
          .map((doc) => at(segment.forward.ids, doc)),
      )
      .sort((a, b) => a - b);
  const holding = (forms: readonly number[], term: number) => forms.some((form) => stemOf(form) === term);

  test.each(["title", "content", "any"] as const)(
    "those with all of some terms are those of a plain look: %s",
    (field) => {
      for (let round = 0; round < 60; round++) {
        const terms = Array.from({ length: 1 + random(4) }, () => 1 + random(21));
        const expected = [...all.values()].filter(({ title, content }) => {
          const forms = { title, content, any: [...title, ...content] }[field];
          return terms.every((term) => holding(forms, term));
        });
        expect(idsIn((segment) => documentsWithAll(segment, terms, field))).toEqual(
          expected.map(({ id }) => id).sort((a, b) => a - b),
        );
      }
      const [segment] = projection.segments;
      expect(segment && documentsWithAll(segment, [], field)).toEqual([]);
      expect(segment && documentsWithAll(segment, [999], field)).toEqual([]);
    },
  );

  test("the postings of a term are its documents, ascending; of one that is not there none", () => {
    for (const segment of projection.segments) {
      expect([...segment.terms]).toEqual([...segment.terms].toSorted((a, b) => a - b));
      for (const term of segment.terms) {
        const { from, to } = postingsOf(segment, term);
        const docs = [...segment.docs.subarray(from, to)];
        expect(docs).toEqual([...new Set(docs)].toSorted((a, b) => a - b));
        expect(docs.length).toBeGreaterThan(0);
      }
      for (const absent of [0, 21, 4_000_000_000]) {
        expect(postingsOf(segment, absent)).toEqual({ from: 0, to: 0 });
      }
    }
  });

  test("each is found by its id, however many ids are asked for, and none for an id that is not there", () => {
    for (const segment of projection.segments) {
      const ids = [...segment.forward.ids];
      const asked = [901, ids.at(-1) ?? 0, 0, ...ids.slice(0, 3), -1];
      const expected = asked.flatMap((id) => (ids.includes(id) ? [ids.indexOf(id)] : []));
      expect(documentsOf(segment, asked)).toEqual(expected);
      expect(documentsOf(segment, ids)).toEqual(ids.map((_, doc) => doc));
    }
    expect(idsIn((segment) => documentsOf(segment, [...all.keys()]))).toEqual([...all.keys()].sort((a, b) => a - b));
  });
});
