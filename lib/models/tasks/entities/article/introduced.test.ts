import { expect, test } from "bun:test";
import { nameKey } from "../../../../text/mod.ts";
import type { Entity } from "../aliases.ts";
import { editions, introduced, leagueOf } from "./introduced.ts";

const mention = (text: string, name: string, type: string, confidence = 0.9): Entity => {
  const start = text.indexOf(name);
  return { type, text: name, name, start, end: start + name.length, confidence };
};

const shown = (text: string, ...names: [name: string, type: string, confidence?: number][]) =>
  introduced(
    text,
    names.map(([name, type, confidence]) => mention(text, name, type, confidence)),
  ).map(({ name, type, confidence }) => `${name} ${type} ${confidence}`);

test("a city of which a club is named is the club, but not where it is said to be a city", () => {
  const text = "فاز روما الإيطالي على ضيفه، وروما بطل";
  expect(shown(text, ["روما الإيطالي", "ORG"], ["روما بطل", "GPE"])).toHaveLength(2);
  const [club, other] = introduced(text, [
    mention(text, "روما الإيطالي", "ORG"),
    { ...mention(text, "روما", "GPE"), start: 29, end: 33 },
  ]);
  expect([club?.name, other?.name, other?.type]).toEqual(["روما الإيطالي", "روما الإيطالي", "ORG"]);
  const city = "فاز روما الإيطالي في ميلانو";
  expect(shown(city, ["روما الإيطالي", "ORG"], ["ميلانو", "GPE"])[1]).toBe("ميلانو GPE 0.9");
});

test("a city that is played for or against is its club, a country is not", () => {
  const text = "اكتسح ضيفه روما ومدرب فولهام في سويسرا بعد لاعب سويسرا";
  expect(shown(text, ["روما", "GPE"], ["فولهام", "GPE"])).toEqual(["نادي روما ORG 0.9", "فولهام ORG 0.9"]);
  expect(shown("قال لاعب سويسرا", ["سويسرا", "GPE"])).toEqual(["سويسرا GPE 0.9"]);
});

test("what a club is named is no person", () => {
  expect(shown("أعلن نادي فيسل كوبي أن كوبي", ["نادي فيسل كوبي", "ORG"], ["فيسل كوبي", "PERS"])).toEqual([
    "نادي فيسل كوبي ORG 0.9",
    "نادي فيسل كوبي ORG 0.9",
  ]);
});

test("what a place is the beginning of says nothing about the place", () => {
  const text = "نادي باريس سان جيرمان عاد إلى باريس";
  const names = introduced(text, [
    mention(text, "باريس سان جيرمان", "ORG"),
    mention(text, "باريس", "GPE"),
    { ...mention(text, "باريس", "GPE"), start: 30, end: 35 },
  ]);
  expect(names.at(-1)).toMatchObject({ name: "باريس", type: "GPE" });
});

test("a newspaper that has a region's name keeps its noun", () => {
  expect(shown('قالت صحيفة "الشرق الأوسط" أمس', ["الشرق الأوسط", "ORG"])).toEqual(["صحيفة الشرق الأوسط ORG 0.9"]);
});

test("an unsure organisation is likely behind its noun or with it, and stays unsure without", () => {
  expect(shown("وفق شبكة زمرد", ["زمرد", "ORG", 0.45])).toEqual(["زمرد ORG 0.8"]);
  expect(shown("وفق هيئة السدود", ["هيئة السدود", "ORG", 0.45])).toEqual(["هيئة السدود ORG 0.8"]);
  expect(shown("وفق محكمة أجنبية", ["محكمة أجنبية", "ORG", 0.45])).toEqual(["محكمة أجنبية ORG 0.45"]);
  expect(shown("وفق زمرد", ["زمرد", "ORG", 0.45])).toEqual(["زمرد ORG 0.45"]);
  expect(shown("Zumurrud Network", ["Zumurrud", "ORG", 0.45])).toEqual(["Zumurrud ORG 0.45"]);
});

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
