import { expect, test } from "bun:test";
import type { Entity } from "../aliases.ts";
import { mergeEntities } from "./merge.ts";

const mention = (name: string, type: string, start: number, confidence = 0.9): Entity => ({
  type,
  text: name,
  name,
  start,
  end: start + name.length,
  confidence,
});

const summary = (...mentions: [name: string, type: string][]) =>
  mergeEntities(mentions.map(([name, type], i) => mention(name, type, 100 * i))).map(
    ({ name, type, mentions: count }) => `${name} ${type} ${count}`,
  );

test("mentions of one key are one entity, with all its places", () => {
  expect(mergeEntities([mention("القحيفة", "GPE", 30), mention("قحيفة", "GPE", 3, 0.5)])).toEqual([
    {
      type: "GPE",
      name: "قحيفة",
      kind: "place",
      key: "قحيفه",
      aliases: [],
      mentions: 2,
      confidence: 0.9,
      spans: [3, 8, 30, 37],
    },
  ]);
});

test("the type is the one that most confidence speaks for", () => {
  const [entity] = mergeEntities([
    mention("Weimar", "PER", 0, 0.4),
    mention("Weimar", "LOC", 9),
    mention("Weimar", "LOC", 20),
  ]);
  expect(entity).toMatchObject({ type: "LOC", mentions: 3 });
});

test("a short form is the person whose name begins or ends with it, when there is just one", () => {
  const one = mergeEntities([mention("Barack Obama", "PER", 0), mention("Obama", "PER", 40)]);
  expect(one).toMatchObject([{ name: "Barack Obama", mentions: 2, spans: [0, 12, 40, 45] }]);
  expect(summary(["Barack Obama", "PER"], ["Michelle Obama", "PER"], ["Obama", "PER"])).toHaveLength(3);
  expect(summary(["New Ulm", "LOC"], ["Ulm", "LOC"])).toHaveLength(2);
  expect(summary(["أنغيلا ميركل", "PERS"], ["ميركل", "ORG"], ["ميركل", "PERS"])).toEqual(["أنغيلا ميركل PERS 3"]);
  expect(summary(["عمر البشير", "PERS"], ["البشير", "OCC"])).toEqual(["عمر البشير PERS 2"]);
  expect(summary(["جيمي كارتر", "PERS"], ["لكارتر", "PERS"])).toEqual(["جيمي كارتر PERS 2"]);
  expect(summary(["محمد آل جابر", "PERS"], ["آل جابر", "PERS"])).toEqual(["محمد آل جابر PERS 2"]);
});

test("an unsure longer name takes no short forms; what ends two persons' names is a person", () => {
  const found = mergeEntities([
    mention("فلاديمير بوتن", "PERS", 0),
    mention("نفي بوتن", "PERS", 20, 0.5),
    mention("بوتن", "PERS", 40),
  ]);
  expect(found.map(({ name, mentions }) => `${name} ${mentions}`)).toEqual(["فلاديمير بوتن 2", "نفي بوتن 1"]);
  expect(summary(["آنا كامبل", "PERS"], ["ديرك كامبل", "PERS"], ["كامبل", "ORG"])).toContain("كامبل PERS 1");
});

test("the names of one thing are one entity, which knows its other keys", () => {
  const [hamas, ...others] = mergeEntities([
    mention("حماس", "ORG", 0),
    mention("حركة حماس", "ORG", 20),
    mention("حركة المقاومة الإسلامية", "ORG", 40),
  ]);
  expect(others).toEqual([]);
  expect(hamas).toMatchObject({ key: "حماس", mentions: 3 });
  expect(hamas?.aliases).toContain("hamas");
  expect(summary(["داعش", "ORG"], ["تنظيم داعش الإرهابي", "ORG"])).toHaveLength(1);
  expect(summary(["أمريكا", "ORG"], ["الولايات المتحدة", "GPE"], ["أميركا", "GPE"])).toHaveLength(1);
  expect(summary(["UK", "LOC"], ["Britain", "LOC"])).toHaveLength(1);
});

test("a country is a place and an organisation is one, whatever they were taken for; a person is a person", () => {
  expect(summary(["إيران", "ORG"])).toEqual(["إيران GPE 1"]);
  expect(summary(["NATO", "MISC"])).toEqual(["NATO ORG 1"]);
  expect(summary(["Jordan", "PER"])).toEqual(["Jordan PER 1"]);
});

test("a name with its proclitic, its kind or its country is the name, where the article has it", () => {
  expect(summary(["إليسا", "PERS"], ["وإليسا", "PERS"])).toEqual(["إليسا PERS 2"]);
  expect(summary(["غوغل", "ORG"], ["شركة غوغل", "ORG"])).toEqual(["غوغل ORG 2"]);
  expect(summary(["نادي أرسنال", "ORG"], ["أرسنال الإنجليزي", "ORG"])).toEqual(["أرسنال الإنجليزي ORG 2"]);
  expect(summary(["تعز", "GPE"], ["مدينة تعز اليمنية", "GPE"])).toEqual(["تعز GPE 2"]);
  expect(summary(["وارسو", "GPE"], ["بولندا", "GPE"])).toHaveLength(2);
});

test("what two countries have each is not one thing, and what a country has is one by its short name", () => {
  expect(summary(["الجيش المصري", "ORG"], ["الجيش الليبي", "ORG"])).toHaveLength(2);
  expect(summary(["المنتخب الهولندي", "ORG"], ["المنتخب السعودي", "ORG"])).toHaveLength(2);
  expect(summary(["الجيش الأميركي", "ORG"], ["الجيش الأمريكي", "ORG"])).toHaveLength(1);
  expect(summary(["وزارة الخارجية القطرية", "ORG"], ["الخارجية القطرية", "ORG"])).toHaveLength(1);
});

test("the beginning or end of one organisation's name is that one; of two it is neither", () => {
  expect(summary(["فيردر بريمن", "ORG"], ["فيردر", "ORG"])).toEqual(["فيردر بريمن ORG 2"]);
  expect(summary(["دنفر ناغتس", "ORG"], ["ناغتس", "ORG"])).toEqual(["دنفر ناغتس ORG 2"]);
  expect(summary(["حزب القوات", "ORG"], ["القوات", "ORG"])).toEqual(["حزب القوات ORG 2"]);
  expect(summary(["جامعة الأمل", "ORG"], ["الأمل", "ORG"])).toHaveLength(2);
  expect(summary(["دنفر ناغتس", "ORG"], ["دنفر برونكوس", "ORG"], ["دنفر", "ORG"])).toHaveLength(3);
  expect(summary(["Zeta Air Lines", "ORG"], ["Zeta", "ORG"])).toEqual(["Zeta Air Lines ORG 2"]);
  expect(summary(["Zeta Auto", "ORG"], ["Zeta", "ORG"])).toHaveLength(2);
});

test("two persons in one mention are two where one of them is named elsewhere, each with its place", () => {
  const [curry, james] = mergeEntities([
    mention("ستيفن كوري", "PERS", 0),
    mention("ليبرون جيمس", "PERS", 20),
    mention("جيمس وكوري", "PERS", 40, 0.6),
  ]);
  expect([curry, james]).toMatchObject([
    { name: "ستيفن كوري", spans: [0, 10, 46, 50] },
    { name: "ليبرون جيمس", spans: [20, 31, 40, 44] },
  ]);
  expect(summary(["سمير وليد", "PERS"])).toEqual(["سمير وليد PERS 1"]);
  expect(summary(["كاسيميرو وفاران", "PERS"])).toEqual(["كاسيميرو PERS 1", "فاران PERS 1"]);
});

test("one foreign place in two spellings is one; short names that differ in a vowel are two", () => {
  expect(summary(["نوتينغهام", "GPE"], ["نوتنغهام", "GPE"])).toEqual(["نوتنغهام GPE 2"]);
  expect(summary(["سالم", "GPE"], ["سليم", "GPE"])).toHaveLength(2);
});

test("a contest is one by all its names, and no place", () => {
  expect(summary(["كأس العالم", "EVENT"], ["كأس العالم", "EVENT"], ["المونديال", "ORG"])).toEqual([
    "كأس العالم EVENT 3",
  ]);
});

test("legal forms of companies and first letters part no organisation in two", () => {
  expect(summary(["TANDON", "PER"], ["Tandon Corp", "ORG"], ["Tandon", "ORG"])).toEqual(["Tandon Corp ORG 3"]);
  expect(summary(["Worthern", "PER"], ["Worthern Banking Corp", "ORG"])).toEqual(["Worthern Banking Corp ORG 2"]);
  expect(summary(["Wall Street Gazette", "ORG"], ["Gazette", "ORG"])).toEqual(["Wall Street Gazette ORG 2"]);
  expect(summary(["Hongkong Electric", "ORG"], ["Hongkong Electric Holdings Ltd", "ORG"])).toHaveLength(1);
  expect(summary(["Police Complaints Board", "ORG"], ["PCB", "ORG"])).toEqual(["Police Complaints Board ORG 2"]);
});

test("the most mentioned comes first; a name without letters is none", () => {
  expect(summary(["A1", "ORG"], ["B2", "ORG"], ["B2", "ORG"], ["…", "ORG"])).toEqual(["B2 ORG 2", "A1 ORG 1"]);
  expect(mergeEntities([])).toEqual([]);
});

test("a person whose first name is misspelled is one with those that are spelled right", () => {
  const names = ["أندور برانسون", "أندرو برانسون", "أندرو برانسون", "برانسون"];
  expect(summary(...names.map((name): [string, string] => [name, "PERS"]))).toEqual(["أندرو برانسون PERS 4"]);
  expect(summary(["محمود عباس", "PERS"], ["محمد عباس", "PERS"])).toHaveLength(2);
  expect(summary(["عبد الله الثاني", "PERS"], ["عبدالله الثاني", "PERS"])).toHaveLength(1);
});

test("a body is one by its country's name and by the country's adjective", () => {
  expect(summary(["حكومة اليمن", "ORG"], ["الحكومة اليمنية", "ORG"])).toHaveLength(1);
  expect(summary(["حكومة اليمن", "ORG"], ["الحكومة السورية", "ORG"])).toHaveLength(2);
});

test("an unsure place is the company that begins with it; a sure one, or the end of many names, is not", () => {
  const merge = (confidence: number): number =>
    mergeEntities([mention("Phoenix", "LOC", 0, confidence), mention("Phoenix Canada Oil Co Ltd", "ORG", 20)]).length;
  expect(merge(0.8)).toBe(1);
  expect(merge(0.95)).toBe(2);
  expect(summary(["House", "ORG"], ["White House", "ORG"])).toHaveLength(2);
});

test("a father is not his son, and a base of a country is no band", () => {
  expect(summary(["محمد بن سلمان", "PERS"], ["سلمان", "PERS"])).toHaveLength(2);
  expect(summary(["تنظيم القاعدة", "ORG"], ["القاعدة التركية", "ORG"])).toHaveLength(2);
  expect(summary(["ماركا", "ORG"], ["ليكيب الفرنسية", "ORG"], ["ليكيب", "ORG"])).toHaveLength(2);
});

test("a building is one by its own name, a body by a word of its name, a league by its rank", () => {
  expect(summary(["المسجد الأقصى", "FAC"], ["الأقصى", "FAC"])).toEqual(["المسجد الأقصى FAC 2"]);
  expect(summary(["مطار لندن", "FAC"], ["لندن", "GPE"])).toHaveLength(2);
  expect(summary(["صندوق النقد الدولي", "ORG"], ["النقد", "ORG"])).toEqual(["صندوق النقد الدولي ORG 2"]);
  expect(summary(["الدوري الإنجليزي", "EVENT"], ["الدوري الممتاز", "EVENT"])).toHaveLength(1);
  expect(summary(["مونديال روسيا 2018", "EVENT"], ["كأس العالم", "EVENT"])).toEqual(["كأس العالم EVENT 2"]);
});

test("a central bank and a team are one by their countries", () => {
  expect(summary(["المنتخب الوطني الجزائري", "ORG"], ["المنتخب الجزائري", "ORG"])).toHaveLength(1);
  expect(summary(["المركزي الأرجنتيني", "ORG"], ["البنك المركزي", "ORG"])).toHaveLength(1);
});

test("a body is one with its country's name and the adjective, with its whole name and a part of it", () => {
  const one = (...names: string[]): number => summary(...names.map((name): [string, string] => [name, "ORG"])).length;
  expect(one("منتخب إنجلترا", "المنتخب الإنجليزي")).toBe(1);
  expect(one("وزارة الخزانة الأميركية", "وزارة الخزانة")).toBe(1);
  expect(one("حزب تكتل القوى الديمقراطية", "حزب التكتل")).toBe(1);
  expect(one("التلفزيون الرسمي التركي", "التلفزيون التركي")).toBe(1);
  expect(one("الشركة السعودية للتنمية والاستثمار", "الشركة السعودية للتنمية والاستثمار التقني")).toBe(1);
  expect(one("الجيش الوطني", "الجيش اليمني")).toBe(1);
  expect(one("مجلس الشيوخ الفرنسي", "الشيوخ الفرنسي")).toBe(1);
  expect(one("منتخب ألمانيا", "المنتخب الأرجنتيني")).toBe(2);
  expect(summary(["ضريح ياسوكوني", "FAC"], ["ياسوكوني", "GPE"])).toEqual(["ضريح ياسوكوني FAC 2"]);
});

test("two companies of one family are two, a company of a country is one", () => {
  expect(summary(["Ecolab Co", "ORG"], ["Ecolab Chemical Industrial Co", "ORG"])).toHaveLength(2);
  expect(summary(["Cartel Office", "ORG"], ["Federal Cartel Office", "ORG"])).toHaveLength(1);
  expect(summary(["Humane Society", "ORG"], ["Humane Society of Tampa Bay", "ORG"])).toHaveLength(1);
  expect(summary(["Lib Dem", "ORG"], ["Lib Dems", "ORG"])).toHaveLength(1);
  expect(summary(["Hospital Corp", "ORG"], ["Hospital Corp of America", "ORG"])).toHaveLength(1);
  expect(summary(["San Paolo", "LOC"], ["San Paolo Holding Co", "ORG"])).toHaveLength(2);
  expect(summary(["Smith Barney", "PER"], ["Smith Barney, Harris Upham and Co", "ORG"])).toHaveLength(1);
});

test("a title of capitals lengthens no name", () => {
  const all = mergeEntities([mention("BUITONI ACQUIRES", "ORG", -1, 0), mention("Buitoni", "ORG", 3)]);
  expect(all.filter(({ confidence }) => confidence > 0)).toMatchObject([{ name: "Buitoni", mentions: 1 }]);
});

test("a person and the one to whom something is done are two", () => {
  expect(summary(["داني سيبايوس", "PERS"], ["زين الدين زيدان", "PERS"], ["سيبايوس لزيدان", "PERS"])).toEqual([
    "داني سيبايوس PERS 2",
    "زين الدين زيدان PERS 2",
  ]);
});

test.each<[about: string, mentions: [name: string, type: string][], entities: string[]]>([
  [
    "a place by what it is",
    [
      ["الرقة", "GPE"],
      ["مدينة الرقة", "GPE"],
    ],
    ["الرقة GPE 2"],
  ],
  [
    "an emirate",
    [
      ["دبي", "GPE"],
      ["إمارة دبي", "GPE"],
    ],
    ["دبي GPE 2"],
  ],
  [
    "an island",
    [
      ["جزيرة سقطرى", "LOC"],
      ["سقطرى", "GPE"],
    ],
    ["سقطرى GPE 2"],
  ],
  [
    "a peninsula",
    [
      ["شبه جزيرة القرم", "LOC"],
      ["القرم", "GPE"],
    ],
    ["القرم GPE 2"],
  ],
  [
    "no sea is the land beside it",
    [
      ["بحر الصين", "LOC"],
      ["الصين", "GPE"],
    ],
    ["بحر الصين LOC 1", "الصين GPE 1"],
  ],
  [
    "an airport by what it is for",
    [
      ["مطار المزة العسكري", "FAC"],
      ["مطار المزة", "FAC"],
    ],
    ["مطار المزة FAC 2"],
  ],
  [
    "a shrine that is called noble",
    [
      ["الحرم الإبراهيمي", "FAC"],
      ["الحرم الإبراهيمي الشريف", "FAC"],
    ],
    ["الحرم الإبراهيمي FAC 2"],
  ],
  [
    "a first name that was taken for a body",
    [
      ["أوماروسا مانوغوت نيومان", "PERS"],
      ["أوماروسا", "ORG"],
    ],
    ["أوماروسا مانوغوت نيومان PERS 2"],
  ],
  [
    "two persons in one mention, joined by a preposition",
    [
      ["كريستيانو رونالدو", "PERS"],
      ["مارسيلو برونالدو", "PERS"],
    ],
    ["كريستيانو رونالدو PERS 2", "مارسيلو PERS 1"],
  ],
  [
    "a person by an initial",
    [
      ["David Humphreys", "PER"],
      ["D Humphreys", "PER"],
      ["T. Humphreys", "PER"],
    ],
    ["David Humphreys PER 2", "T. Humphreys PER 1"],
  ],
  [
    "a ministry by its country",
    [
      ["Iraqi Defense Ministry", "ORG"],
      ["Defense Ministry", "ORG"],
    ],
    ["Iraqi Defense Ministry ORG 2"],
  ],
  [
    "a name of the table by its first letters",
    [
      ["Islamic State", "ORG"],
      ["IS", "ORG"],
    ],
    ["Islamic State ORG 2"],
  ],
  [
    "a company that was taken for a person",
    [
      ["Bloomberg News", "ORG"],
      ["Bloomberg", "PER"],
    ],
    ["Bloomberg News ORG 2"],
  ],
  [
    "a title",
    [
      ["دونالد ترامب", "PERS"],
      ["الرئيس ترامب", "PERS"],
      ["ترامب", "PERS"],
    ],
    ["دونالد ترامب PERS 3"],
  ],
  [
    "an English title",
    [
      ["Donald Trump", "PER"],
      ["President Trump", "PER"],
    ],
    ["Donald Trump PER 2"],
  ],
  [
    "an English state",
    [
      ["Guerrero", "LOC"],
      ["Guerrero state", "LOC"],
    ],
    ["Guerrero LOC 2"],
  ],
  [
    "an English city",
    [
      ["Raqqa", "LOC"],
      ["city of Raqqa", "LOC"],
    ],
    ["Raqqa LOC 2"],
  ],
  [
    "a name with and without those in its middle",
    [
      ["محمد إبراهيم بزي", "PERS"],
      ["محمد بزي", "PERS"],
    ],
    ["محمد إبراهيم بزي PERS 2"],
  ],
  [
    "no son is his namesake",
    [
      ["محمد بن خالد سلمان", "PERS"],
      ["محمد سلمان", "PERS"],
    ],
    ["محمد بن خالد سلمان PERS 1", "محمد سلمان PERS 1"],
  ],
  [
    "a foreign first name in two spellings",
    [
      ["كريستيانو رونالدو", "PERS"],
      ["كرستيانو رونالدو", "PERS"],
    ],
    ["كرستيانو رونالدو PERS 2"],
  ],
  [
    "two brothers whose names differ in a long vowel",
    [
      ["حسن علي", "PERS"],
      ["حسين علي", "PERS"],
    ],
    ["حسن علي PERS 1", "حسين علي PERS 1"],
  ],
  [
    "a person at the end of an office",
    [
      ["Kevin Vickers", "PER"],
      ["Arms Kevin Vickers", "ORG"],
    ],
    ["Kevin Vickers PER 2"],
  ],
  [
    "a company that bears a person's name is no person",
    [
      ["Kevin Vickers", "PER"],
      ["Bank of Kevin Vickers", "ORG"],
    ],
    ["Kevin Vickers PER 1", "Bank of Kevin Vickers ORG 1"],
  ],
  [
    "a club by its city",
    [
      ["برشلونة الإسباني", "ORG"],
      ["برشلونة", "GPE"],
    ],
    ["برشلونة الإسباني ORG 2"],
  ],
  [
    "a city that is named more often than its club",
    [
      ["برشلونة الإسباني", "ORG"],
      ["برشلونة", "GPE"],
      ["برشلونة", "GPE"],
    ],
    ["برشلونة GPE 2", "برشلونة الإسباني ORG 1"],
  ],
  [
    "a prize that was taken for a body",
    [
      ["أوسكار", "ORG"],
      ["جائزة الأوسكار", "EVENT"],
      ["جائزة أوسكار", "EVENT"],
    ],
    ["أوسكار EVENT 3"],
  ],
  [
    "a league of professionals",
    [
      ["الدوري السعودي", "EVENT"],
      ["الدوري السعودي للمحترفين", "EVENT"],
    ],
    ["الدوري السعودي للمحترفين EVENT 2"],
  ],
  [
    "an event with its country inside",
    [
      ["الانتفاضة الفلسطينية الثانية", "EVENT"],
      ["الانتفاضة الثانية", "EVENT"],
    ],
    ["الانتفاضة الثانية EVENT 2"],
  ],
  [
    "a party by its country",
    [
      ["حزب التيار الديمقراطي التونسي", "ORG"],
      ["التيار الديمقراطي", "ORG"],
    ],
    ["التيار الديمقراطي ORG 2"],
  ],
  [
    "a club with its article",
    [
      ["النادي الأهلي المصري", "ORG"],
      ["الأهلي", "ORG"],
    ],
    ["النادي الأهلي المصري ORG 2"],
  ],
  [
    "an airline by its trade",
    [
      ["شركة طيران العال", "ORG"],
      ["شركة العال", "ORG"],
    ],
    ["شركة العال ORG 2"],
  ],
  [
    "the federation that is called that of the ball",
    [
      ["الاتحاد المصري لكرة القدم", "ORG"],
      ["اتحاد الكرة", "ORG"],
      ["الاتحاد الدولي لكرة القدم", "ORG"],
    ],
    ["الاتحاد المصري لكرة القدم ORG 2", "الاتحاد الدولي لكرة القدم ORG 1"],
  ],
  [
    "the federation of another country",
    [
      ["الاتحاد المصري لكرة القدم", "ORG"],
      ["اتحاد الكرة الغاني", "ORG"],
    ],
    ["الاتحاد المصري لكرة القدم ORG 1", "اتحاد الكرة الغاني ORG 1"],
  ],
  [
    "the forces of the one coalition",
    [
      ["تحالف دعم الشرعية", "ORG"],
      ["قوات التحالف", "ORG"],
    ],
    ["تحالف دعم الشرعية ORG 2"],
  ],
  [
    "an army by the other name of its country",
    [
      ["الجيش الأمريكي", "ORG"],
      ["جيش الولايات المتحدة الأمريكية", "ORG"],
    ],
    ["جيش الولايات المتحدة الأمريكية ORG 2"],
  ],
  [
    "the army of another country",
    [
      ["الجيش الأمريكي", "ORG"],
      ["جيش المملكة المتحدة", "ORG"],
    ],
    ["الجيش الأمريكي ORG 1", "جيش المملكة المتحدة ORG 1"],
  ],
])("one entity for %s", (_, mentions, entities) => {
  expect(summary(...mentions)).toEqual(entities);
});
