import { expect, test } from "bun:test";
import { articleEntities } from "./article-entities.ts";
import { mentionsIn, shown } from "./testing.ts";

test("what institutions of many do, parts of many places and adjectives alone are no names", () => {
  const names: [string, string][] = [
    ["حكومة البلاد", "ORG"],
    ["الاتحاد الدولي للعبة", "ORG"],
    ["وكالة الأنباء", "ORG"],
    ["العدالة الأميركية", "ORG"],
    ["قاعدة جوية سورية", "FAC"],
    ["الحدود السورية", "LOC"],
    ["القانون الجديد", "LAW"],
    ["السنغالي", "NORP"],
    ["التشيلي", "GPE"],
    ["حرب باردة", "EVENT"],
    ["حزب الرئيس", "ORG"],
    ["شركة طيران", "ORG"],
    ["وسائل الإعلام الكتالونية", "ORG"],
    ["قوات الأمن", "ORG"],
    ["قوات الجيش", "ORG"],
    ["الكتالوني", "ORG"],
    ["منتخب البلد", "ORG"],
    ["لا روخا", "ORG"],
    ["الأمن القومي الأميركي", "ORG"],
    ["للماريجوانا", "ORG"],
    ["أميركية", "LANGUAGE"],
    ["الحرب الأهلية", "EVENT"],
  ];
  expect(shown(names.map(([name]) => name).join(" ثم "), names)).toEqual([]);
});

test("what stands behind a name of the table is cut off, as are an open bracket, a country that it is for and a capital's noun", () => {
  const names: [string, string][] = [
    ["الأمم المتحدة لحقوق الإنسان", "ORG"],
    ["هيئة السدود (هس", "ORG"],
    ["الحكومة الفرنسية بالإرهاب", "ORG"],
    ["مجلس الإعمار لتونس", "ORG"],
    ["العاصمة صنعاء", "GPE"],
    ["جمهورية جنوب السودان", "ORG"],
    ["شبكة روسيا اليوم", "ORG"],
    ["جيف) سيشنز", "PERS"],
    ["منتخب تونس كوستاريكا", "ORG"],
    ["الاتحاد الأوروبي لكرة القدم", "ORG"],
  ];
  expect(shown(names.map(([name]) => name).join(" ثم "), names)).toEqual([
    "الأمم المتحدة ORG",
    "هيئة السدود ORG",
    "الحكومة الفرنسية ORG",
    "مجلس الإعمار ORG",
    "صنعاء GPE",
    "جمهورية جنوب السودان GPE",
    "شبكة روسيا اليوم ORG",
    "جيف سيشنز PERS",
    "منتخب تونس ORG",
    "الاتحاد الأوروبي لكرة القدم ORG",
  ]);
});

test("the short name of a share is no other company, and counts for its own", () => {
  const names: [string, string][] = [
    ["Canon Inc", "ORG"],
    ["CANON", "ORG"],
    ["NTK", "ORG"],
  ];
  expect(shown("Canon Inc <CANON> and Nortek <NTK>", names)).toEqual(["Canon Inc ORG"]);
});

test("an organisation with one mention needs to be likelier than a person", () => {
  const content = "زمرد الخضراء ثم سمير زمرد";
  expect(
    shown(content, [
      ["زمرد الخضراء", "ORG", 0.68],
      ["سمير زمرد", "PERS", 0.68],
    ]),
  ).toEqual(["سمير زمرد PERS"]);
});

test("a country's prefix is no place, and a club is not what its name means without the article", () => {
  expect(shown("Sino-U.S. Venture", [["Sino-U.S", "LOC"]])).toEqual([]);
  const [club] = articleEntities(
    { title: "", content: "فاز الفتح" },
    { title: [], content: mentionsIn("فاز الفتح", [["الفتح", "ORG"]]) },
  );
  expect(club).toMatchObject({ name: "الفتح", aliases: [] });
});
