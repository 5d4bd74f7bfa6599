import { expect, test } from "bun:test";
import { FIELDS } from "./item.ts";
import { column, fieldValue, readMapping } from "./mapping.ts";

test("every field has its usual columns, its own name among them", () => {
  const { columns } = readMapping([], []);
  for (const field of FIELDS) expect(columns[field]).toContain(field);
});

test("the first column that holds something wins; null and empty count as nothing", () => {
  const mapping = readMapping([], []);
  expect(fieldValue({ content: "", text: null, body: "b" }, "content", mapping)).toBe("b");
  expect(fieldValue({ text: "t", body: "b" }, "content", mapping)).toBe("t");
  expect(fieldValue({ other: 1 }, "content", mapping)).toBeUndefined();
});

test("a mapped column is the only one looked at, and a constant wins over all", () => {
  expect(fieldValue({ text: "t", story: "" }, "content", readMapping(["content=story"], []))).toBeUndefined();
  expect(fieldValue({ lang: "ar" }, "lang", readMapping([], ["lang=en"]))).toBe("en");
});

test("a dot reaches into objects, unless a column has that very name", () => {
  const row = { meta: { source: { id: "deep" } }, "meta.source.id": "flat" };
  expect(column(row, "meta.source.id")).toBe("flat");
  expect(column({ meta: row.meta }, "meta.source.id")).toBe("deep");
  expect(column({ meta: null }, "meta.source")).toBeUndefined();
  expect(column({ meta: "text" }, "meta.length")).toBeUndefined();
});

test("what objects inherit is no column", () => {
  for (const name of ["constructor", "toString", "meta.constructor"])
    expect(column({ meta: {} }, name)).toBeUndefined();
});

test("the last of several settings of one field holds", () => {
  expect(readMapping(["title=a", "title=b"], ["lang=ar", "lang=en"])).toMatchObject({
    columns: { title: ["b"] },
    constants: { lang: "en" },
  });
});
