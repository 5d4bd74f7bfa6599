import { describe, expect, test } from "bun:test";
import { ARTICLE_FIELDS, comparable } from "../filters.ts";
import { Forward, type DocumentRow } from "./forward.ts";

const article = { lang: "ar", sourceId: "wire", categoryId: null, domain: "news.example" } as const;

/** A document with the fields of an article, in the order of the table. */
function row(id: number, words: readonly number[], more: Partial<DocumentRow> & { publishedAt?: string } = {}) {
  const { publishedAt = null, ...rest } = more;
  const fields = ARTICLE_FIELDS.map((field) => comparable({ ...article, publishedAt }, field));
  return { id, seq: 10 * id, fields, words: Uint16Array.from(words), ...rest };
}

const ROWS: readonly DocumentRow[] = [
  row(2 ** 33 + 1, [1, 5, 6], { authors: ["Rana", "رنا", "Rana"], time: 86_400_000 }),
  row(2, []),
  row(3, [0, 7], { publishedAt: "2024-03-01T00:00:00Z", authors: [""] }),
  { ...row(4, [2, 1, 1]), fields: [] },
  row(5, [0], { authors: ["رنا"], fields: ARTICLE_FIELDS.map((field) => (field === "publishedAt" ? -1 : "")) }),
];

const asRead = (rows: readonly DocumentRow[]) =>
  rows.map(({ time = 0, authors = [], fields, words, ...rest }) => ({
    ...{ ...rest, time, authors: [...new Set(authors)], words: [...words] },
    fields: ARTICLE_FIELDS.map((_, i) => fields[i] ?? null),
  }));
const rowsOf = (forward: Forward) =>
  Array.from({ length: forward.count }, (_, doc) => forward.row(doc)).map((each) => ({
    ...each,
    ...{ words: [...each.words], fields: [...each.fields], authors: [...(each.authors ?? [])] },
  }));

describe("documents", () => {
  test("are read as they were added, with what is missing as nothing, and each author once", () => {
    expect(rowsOf(Forward.of(ROWS))).toEqual(asRead(ROWS));
    expect(rowsOf(Forward.of([]))).toEqual([]);
  });

  test("are refused where there is no room for their words, however few they are", () => {
    const forward = new Forward(2, 3);
    forward.add(row(1, [1, 2]));
    expect(() => forward.add(row(2, [1, 2]))).toThrow(RangeError);
  });

  test("have authors by code, each text once over all documents", () => {
    const { authors } = Forward.of(ROWS);
    expect(authors.texts()).toEqual(["Rana", "رنا", ""]);
    expect([0, 1, 2, 3, 4].map((doc) => [...authors.codesOf(doc)])).toEqual([[1, 2], [], [3], [], [2]]);
    expect(authors.at(4)).toEqual(["رنا"]);
    expect(authors.at(9)).toEqual([]);
  });
});

describe("documents that were written to disk", () => {
  const written = () => {
    const { ids, seqs, times, words, starts, columns, authors, count } = Forward.of(ROWS);
    return {
      ...{ ids, seqs, times, words, starts },
      authors: authors.data(),
      fields: columns.map((column) => column.data(count)),
    };
  };

  test("are the same when they are read", () => {
    const restored = Forward.restore(written());
    expect(rowsOf(restored)).toEqual(asRead(ROWS));
    expect(restored.authors.texts()).toEqual(["Rana", "رنا", ""]);
    // As they are the same when they are written once more.
    expect(restored.authors.data()).toEqual(written().authors);
  });

  test.each<[string, (data: ReturnType<typeof written>) => Partial<ReturnType<typeof written>>]>([
    ["a field too few", ({ fields }) => ({ fields: fields.slice(1) })],
    ["a field too many", ({ fields }) => ({ fields: [...fields, ...fields.slice(0, 1)] })],
    ["a document without a start", ({ starts }) => ({ starts: starts.subarray(1) })],
    ["a document too many", ({ ids }) => ({ ids: Float64Array.of(...ids, 9) })],
    ["a document too few", ({ ids }) => ({ ids: ids.subarray(1) })],
    ["an author cut off", ({ authors }) => ({ authors: { ...authors, values: authors.values.subarray(0, -1) } })],
    ["authors of nobody", ({ authors }) => ({ authors: { ...authors, values: Uint32Array.of(...authors.values, 1) } })],
  ])("are refused with %s", (_, change) => {
    const data = written();
    expect(() => Forward.restore({ ...data, ...change(data) })).toThrow(RangeError);
  });
});
