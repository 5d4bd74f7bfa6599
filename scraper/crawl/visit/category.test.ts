import { expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { createCategorizer } from "./category.ts";

const taxonomy = loadTaxonomy();
const [first = "", second = ""] = taxonomy.categories;

test("the first label that the profile's map knows decides, however it is written", () => {
  const categorize = createCategorizer({ provider: "p", category_map: { الرياضة: first, Markets: second } }, taxonomy);
  expect(categorize([null, "unheard of", "رياضه", "markets"])).toEqual({ canonical: second, label: "markets" });
  expect(categorize(["الرِّياضة"])).toEqual({ canonical: first, label: "الرِّياضة" });
});

test("a canonical name stands for itself, and the profile's map goes before the platform's", () => {
  expect(createCategorizer({ provider: "p" }, taxonomy)([first])).toEqual({ canonical: first, label: first });
  const other = createCategorizer({ provider: "p", category_map: { [first]: second } }, taxonomy);
  expect(other([first])).toEqual({ canonical: second, label: first });
});

test("a label that no map knows is kept, and without labels there is nothing", () => {
  const categorize = createCategorizer({ provider: "p", category_map: { x: "no-such-category" } }, taxonomy);
  expect(categorize([" ", "quite unheard of", "x"])).toEqual({ canonical: null, label: "quite unheard of" });
  expect(categorize([null, ""])).toEqual({ canonical: null, label: null });
});
