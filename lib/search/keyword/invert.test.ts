import { describe, expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { type DocumentRow, Forward } from "./forward.ts";
import { invert, invertInSteps, isInArabic, Scratch } from "./invert.ts";
import { hashForms, packed, postingsOf, VarintWriter } from "./postings.ts";
import { randomNumbers } from "./testing/random.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A document of these forms. */
function row(id: number, title: readonly number[], content: readonly number[] = []): DocumentRow {
  const writer = new VarintWriter();
  for (const number of [title.length, ...title, ...content]) writer.write(number);
  return { id, seq: id, fields: [], words: packed(writer.take()) };
}

/** Stems 1 to 3; a root 10 of the form 3; the form 4 has two stems and two roots, 5 has none. */
function vocabulary(): Vocabulary {
  const made = new Vocabulary();
  made.addForm([1], []);
  made.addForm([2], []);
  made.addForm([3], [10]);
  made.addForm([1, 6], [10, 11]);
  made.addForm([], []);
  return made;
}

/** The postings of a segment by term, each as id, times in the title and times in the content. */
function postings(segment: ReturnType<typeof invert>): Record<number, [number, number, number][]> {
  return Object.fromEntries(
    Array.from(segment.terms, (term) => {
      const { from, to } = postingsOf(segment, term);
      return [
        term,
        Array.from({ length: to - from }, (_, i): [number, number, number] => {
          const freq = at(segment.freqs, from + i);
          return [at(segment.forward.ids, at(segment.docs, from + i)), freq >> 6, freq & 63];
        }),
      ];
    }),
  );
}

describe("inverted documents", () => {
  test("have each stem and root with how often it stands in title and content", () => {
    const segment = invert([row(1, [1, 2, 1], [2, 3]), row(2, [], [4, 5]), row(3, [5])], vocabulary(), new Scratch());
    expect(postings(segment)).toEqual({
      1: [
        [2, 0, 1],
        [1, 2, 0],
      ],
      2: [[1, 1, 1]],
      3: [[1, 0, 1]],
      6: [[2, 0, 1]],
      10: [
        [2, 0, 1],
        [1, 0, 1],
      ],
      11: [[2, 0, 1]],
    });
    // Half of the words of 2 have a root, which is more than a quarter; of 1 it is a fifth.
    expect([...segment.forward.ids]).toEqual([2, 1, 3]);
    expect([segment.latin, segment.inArabic, segment.size]).toEqual([1, 1, 3]);
    // A stem and a root of each word count, further ones do not.
    expect([...segment.lengths]).toEqual([2, 6, 0]);
    expect([...segment.live]).toEqual([1, 1, 1]);
    expect([...segment.byId].map((doc) => segment.forward.ids[doc])).toEqual([1, 2, 3]);
  });

  test.each([
    [1, 1, 1],
    [2, 62, 2],
    [3, 63, 3],
    [4, 64, 3],
    [40, 900, 3],
  ])(
    "count a term that stands %d times in the title and %d times in the content, no more than fits",
    (title, content, most) => {
      const times = (count: number) => new Array<number>(count).fill(1);
      const segment = invert([row(1, times(title), times(content))], vocabulary(), new Scratch());
      expect(postings(segment)).toEqual({ 1: [[1, most, Math.min(63, content)]] });
      expect([...segment.lengths]).toEqual([title + content]);
    },
  );

  test("may have any number of words, each with several terms", () => {
    const content = [...new Array<number>(3_000).fill(4), 2];
    const segment = invert([row(1, [3], content)], vocabulary(), new Scratch());
    expect(postings(segment)).toEqual({
      ...{ 1: [[1, 0, 63]], 2: [[1, 0, 1]], 3: [[1, 1, 0]], 6: [[1, 0, 63]] },
      ...{ 10: [[1, 1, 63]], 11: [[1, 0, 63]] },
    });
    expect([...segment.lengths]).toEqual([2 + 6_000 + 1]);
  });

  test("have the hash of the forms of their title", () => {
    const { titles } = invert([row(1, [1, 2], [3]), row(2, [2, 1]), row(3, [])], vocabulary(), new Scratch());
    expect([...titles]).toEqual([[1, 2], [2, 1], []].map((forms) => hashForms(forms, 0, forms.length)));
  });

  test("are the same whatever the scratch was used for before, and in however many steps", () => {
    const random = randomNumbers(8);
    const forms = (count: number) => Array.from({ length: random(count) }, () => 1 + random(5));
    const rows = Array.from({ length: 300 }, (_, i) => row(i + 1, forms(9), forms(40)));
    const used = new Scratch();
    invert(rows.slice(0, 100), vocabulary(), used);
    const [fresh, again] = [invert(rows, vocabulary(), new Scratch()), invert(rows, vocabulary(), used)];
    expect(postings(again)).toEqual(postings(fresh));
    expect(again.lengths).toEqual(fresh.lengths);

    const steps = invertInSteps({ forward: fresh.forward, latin: fresh.latin }, vocabulary(), used);
    let yielded = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) yielded++;
    // Three steps of 128 to count, and three to write.
    expect(yielded).toBe(6);
    expect(postings(step.value)).toEqual(postings(fresh));
  });

  test("may be none", () => {
    const segment = invert([], vocabulary(), new Scratch());
    expect([segment.size, segment.latin, segment.terms.length, [...segment.offsets]]).toEqual([0, 0, 0, [0]]);
  });
});

describe("a document is in Arabic", () => {
  const rooted = (roots: number, others: number) => [
    ...new Array<boolean>(roots).fill(true),
    ...new Array<boolean>(others).fill(false),
  ];
  /** The same by an index: the form 3 has a root, 1 has none. */
  const isArabic = (words: readonly boolean[]): boolean =>
    invert(
      [
        row(
          1,
          [],
          words.map((root) => (root ? 3 : 1)),
        ),
      ],
      vocabulary(),
      new Scratch(),
    ).latin === 1;

  test.each([
    ["where more than a quarter of its words have a root", rooted(2, 5), true],
    ["not where it is a quarter", rooted(2, 6), false],
    ["not where it has no words", [], false],
    ["where all have one", rooted(1, 0), true],
    ["by its first 64 words: one in their midst too few", [...rooted(16, 48), ...rooted(300, 0)], false],
    ["by its first 64 words: one enough", [...rooted(17, 47), ...rooted(0, 300)], true],
  ])("%s", (_, words, expected) => {
    expect(isInArabic(words)).toBe(expected);
    expect(isArabic(words)).toBe(expected);
  });
});

describe("a document that is decoded", () => {
  const scratch = new Scratch();
  const forward = Forward.of([row(1, [1, 2], [3, 70_000, 1]), row(2, [], [2]), row(3, [4, 61_440])]);

  test("says where its content begins and where it ends", () => {
    const decoded = [0, 1, 2].map((doc) => {
      const { content, end } = scratch.decode(forward, doc);
      return { content, forms: [...scratch.forms.subarray(0, end)] };
    });
    expect(decoded).toEqual([
      { content: 3, forms: [2, 1, 2, 3, 70_000, 1] },
      { content: 1, forms: [0, 2] },
      { content: 3, forms: [2, 4, 61_440] },
    ]);
  });

  test("at its beginning has at least so many numbers, or all", () => {
    const { words } = forward.row(0);
    expect(scratch.decodeFirst(words, 2)).toBeGreaterThanOrEqual(2);
    expect([...scratch.forms.subarray(0, 2)]).toEqual([2, 1]);
    expect(scratch.decodeFirst(words, 50)).toBe(6);
    expect(scratch.decodeFirst(words, 0)).toBe(0);
  });

  test("has its stems and roots in the order of its words, further ones behind the first", () => {
    const terms = (doc: number) => {
      const { content, end, length } = scratch.decodeTerms(forward, doc, vocabulary());
      return { terms: [...scratch.terms.subarray(0, end)], content, length };
    };
    expect(terms(0)).toEqual({ terms: [1, 2, 3, 10, 1], content: 2, length: 5 });
    expect(terms(1)).toEqual({ terms: [2], content: 0, length: 1 });
    // All of it is title.
    expect(terms(2)).toEqual({ terms: [1, 10, 6, 11], content: 4, length: 2 });
  });

  test("has those forms that are marked, with their places, as a plain look finds them", () => {
    const random = randomNumbers(23);
    const forms = (count: number) =>
      Array.from({ length: random(count) }, () => [1, 2, 3, 61_440, 70_001][random(5)] ?? 1);
    for (let round = 0; round < 100; round++) {
      const [title, content] = [forms(6), forms(12)];
      const sought = new Set(forms(4));
      const marks = new Uint8Array(70_002);
      for (const form of sought) marks[form] = 1;
      const document = Forward.of([row(1, [5], [2]), row(2, title, content)]);
      for (const titleAlone of [false, true]) {
        const all = titleAlone ? title : [...title, ...content];
        const expected = all.flatMap((form, i) => (sought.has(form) ? [[form, i + 1]] : []));
        const { title: inTitle, count } = scratch.decodeMarked(document, 1, { marks, titleAlone });
        const { marked, places } = scratch;
        expect(Array.from({ length: count }, (_, i) => [at(marked, i), at(places, i)])).toEqual(expected);
        expect(inTitle).toBe(title.filter((form) => sought.has(form)).length);
      }
    }
  });
});
