import { expect, test } from "bun:test";
import { nameKey } from "../../../../text/mod.ts";
import { editions, leagueOf } from "./contests.ts";

const ofOne = (...names: string[]): string[] => [...editions(names.map(nameKey)).keys()];

test("a contest and its one edition that a text speaks of are one, two editions are not", () => {
  const names = ["كأس العالم", "مونديال روسيا 2018", "مونديال روسيا", "كأس العالم 2018"];
  expect(ofOne(...names)).toEqual(names.map(nameKey));
  expect(new Set(editions(names.map(nameKey)).values())).toEqual(new Set([nameKey("كأس العالم")]));
  expect(ofOne("مونديال 2014", "مونديال روسيا 2018")).toEqual([]);
  expect(ofOne("مونديال روسيا", "مونديال جنوب أفريقيا")).toEqual([]);
  expect(ofOne("كأس العالم للقارات", "كأس العالم")).toEqual([]);
  expect(ofOne("بطولة آسيا 2019", "بطولة آسيا")).toEqual([]);
});

test("a league that is called by its rank alone is the one league of the article", () => {
  const leagues = ["الدوري الإنجليزي الممتاز", "كأس البرتغال", "دوري السلة الأميركي"].map(nameKey);
  expect(leagueOf(nameKey("الدوري الممتاز"), leagues)).toBe(leagues[0] ?? "");
  expect(leagueOf(nameKey("الدوري الممتاز"), [...leagues, nameKey("الدوري المصري")])).toBeUndefined();
  expect(leagueOf(nameKey("الدوري المصري"), leagues)).toBeUndefined();
});
