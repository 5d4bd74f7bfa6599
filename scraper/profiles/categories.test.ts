import { expect, test } from "bun:test";
import { profileFile } from "../testing/profile.ts";
import { categoriesOf } from "./categories.ts";
import { createProfileSchema } from "./schema.ts";

const categories = ["politics", "sport", "world"];

const of = (over: Record<string, unknown>) =>
  categoriesOf(createProfileSchema(categories).parse(profileFile(over)), { categories });

test("the categories of a profile are those of its map, each once, in the order of the taxonomy", () => {
  expect(of({ category_map: { Ball: "sport", Polls: "politics", Goals: "sport" } })).toEqual(["politics", "sport"]);
  expect(of({})).toEqual([]);
});

test("the category of a feed, by itself or through the map, is one of them", () => {
  const feeds = [
    { url: "https://a.test/1", category: "world" },
    { url: "https://a.test/2", category: "Ball" },
  ];
  expect(of({ feeds, category_map: { Ball: "sport" } })).toEqual(["sport", "world"]);
});
