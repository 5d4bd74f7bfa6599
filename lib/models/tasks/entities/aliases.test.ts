import { expect, test } from "bun:test";
import { nameKey } from "../../../text/mod.ts";
import { aliasGroup, isCountry, kindOf, readGroups } from "./aliases.ts";

test("names of one thing are in one group in both languages, a person's in none", () => {
  expect(aliasGroup(nameKey("الأمم المتحدة"), "organisation")).toBe(aliasGroup(nameKey("U.N."), "organisation"));
  expect(aliasGroup(nameKey("فرنسا"), "organisation")).toMatchObject({ kind: "place", isCountry: true });
  expect(aliasGroup(nameKey("Jordan"), "person")).toBeUndefined();
  expect(isCountry(nameKey("السعودية"))).toBe(true);
  expect(isCountry(nameKey("حماس"))).toBe(false);
});

test("a known organisation is itself with what it is and where it is from beside its name; another is not", () => {
  const barcelona = aliasGroup(nameKey("نادي برشلونة"), "organisation");
  expect(barcelona).toBeDefined();
  expect(aliasGroup(nameKey("نادي برشلونة الإسباني"), "organisation")).toBe(barcelona);
  expect(aliasGroup(nameKey("وكالة فرانس برس الفرنسية"), "organisation")).toBe(
    aliasGroup(nameKey("فرانس برس"), "organisation"),
  );
  expect(aliasGroup(nameKey("نادي الكتاب الثقافي"), "organisation")).toBeUndefined();
  expect(aliasGroup(nameKey("نادي برشلونة الإسباني"), "person")).toBeUndefined();
});

test("the types of both languages are of four kinds", () => {
  expect(["PERS", "PER", "GPE", "FAC", "WEBSITE", "ORG", "MISC"].map(kindOf)).toEqual([
    "person",
    "person",
    "place",
    "place",
    "organisation",
    "organisation",
    "other",
  ]);
});

test("a line of the table is a kind and names; another is refused", () => {
  expect(readGroups("# note\nplace\tنهر أ|River A\n").get("river a")?.keys).toEqual(["نهر ا", "river a"]);
  expect(() => readGroups("village\tX")).toThrow();
});
