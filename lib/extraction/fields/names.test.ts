import { expect, test } from "bun:test";
import { hasLead, isAgency, isOnlyLead, isOrganisation, isPlacedList, isSection, namesIn } from "./names.ts";

test.each([
  ["By Layla Haddad and Omar Said", ["Layla Haddad", "Omar Said"]],
  ["By Layla Haddad & Omar Said", ["Layla Haddad", "Omar Said"]],
  ["& Omar Said", ["Omar Said"]],
  ["Written by: Layla Haddad, Senior Analyst", ["Layla Haddad"]],
  ["Layla Haddad, Staff Writer", ["Layla Haddad"]],
  ["Layla Haddad Staff Writer", ["Layla Haddad"]],
  ["Layla HaddadStaff Writer", ["Layla Haddad"]],
  ["Layla Haddad, Chief Political Correspondent and Editor", ["Layla Haddad"]],
  ["Layla Haddad, Director, Content and Marketing", ["Layla Haddad"]],
  ["Layla Haddad, MD, FACP", ["Layla Haddad"]],
  ["Layla HaddadTwitterNews", ["Layla Haddad"]],
  ["@laylah Layla Haddad", ["Layla Haddad"]],
  ["Layla Haddad (layla@a.example)", ["Layla Haddad"]],
  ["Sign In", []],
  ["Follow us, Share", []],
  ["Staff Writer", []],
  ["December 20", []],
  ["page https://a.example/x", []],
  ["Center for Drug Evaluation and Research", ["Center for Drug Evaluation and Research"]],
  ["J.K. Rowling", ["J.K. Rowling"]],
  ["Layla Haddad, Editor, Omar Said", ["Layla Haddad", "Omar Said"]],
  ["Layla Haddad, 2025, Omar", ["Layla Haddad", "Omar"]],
  ["Omar", ["Omar"]],
  ["Layla Haddad, Reuters", ["Layla Haddad", "Reuters"]],
  ["Layla Haddad, AFP", ["Layla Haddad", "AFP"]],
  ["Edith Head", ["Edith Head"]],
])("%s names %p", (byline, names) => {
  expect(namesIn([byline])).toEqual(names);
});

test.each([
  ["بقلم: ليلى حداد", ["ليلى حداد"]],
  ["بقلم/ ليلى حداد", ["ليلى حداد"]],
  ["بقلم الكاتبة ليلى حداد", ["ليلى حداد"]],
  ["بقلم - د. ليلى حداد", ["د. ليلى حداد"]],
  ["كتب: عمر سعيد", ["عمر سعيد"]],
  ["كتبت - ليلى حداد", ["ليلى حداد"]],
  ["إعداد: ليلى حداد، عمر سعيد", ["ليلى حداد", "عمر سعيد"]],
  ["إعداد وتحرير: ليلى حداد", ["ليلى حداد"]],
  ["تحرير: عمر سعيد", ["عمر سعيد"]],
  ["ليلى حداد وعمر سعيد", ["ليلى حداد", "عمر سعيد"]],
  ["ليلى حداد وائل سعيد", ["ليلى حداد وائل سعيد"]],
  ["ليلى حداد - مراسلة الجزيرة نت", ["ليلى حداد"]],
  ["ليلى حداد، مراسل الشؤون السياسية", ["ليلى حداد"]],
  ["القاهرة - عمر سعيد", ["عمر سعيد"]],
  ["عمر سعيد - بيروت", ["عمر سعيد"]],
  ["عمر سعيد (رويترز)", ["عمر سعيد"]],
  ["تسجيل الدخول", []],
  ["مدير الموقع", []],
])("%s names %p", (byline, names) => {
  expect(namesIn([byline])).toEqual(names);
});

test("a byline is told from a heading that begins with the same word", () => {
  expect(["By Layla Haddad", "بقلم ليلى حداد", "تقرير: ليلى حداد", "كتبت ليلى حداد"].every(hasLead)).toBe(true);
  expect(["Bystanders saw it", "تقرير يكشف الأسباب", "حوار مع الوزير", "Authors of their fate"].some(hasLead)).toBe(
    false,
  );
  expect(["By", "Written by:", "بقلم", "بقلم:"].every(isOnlyLead)).toBe(true);
  expect(["By day", "بقلم ليلى"].some(isOnlyLead)).toBe(false);
});

test("agencies, teams and companies are organisations, people are none", () => {
  const organisations = [
    "Reuters",
    "AFP",
    "رويترز",
    "أ ف ب",
    "وكالات",
    "وكالة الأناضول",
    "The Upwork Team",
    "فريق التحرير",
  ];
  expect(organisations.filter((name) => !isOrganisation(name))).toEqual([]);
  expect(["Layla Haddad", "ليلى حداد", "J. Apple"].filter(isOrganisation)).toEqual([]);
});

test.each([
  ["Layla Haddad in Cairo and Omar Said in Beirut", ["Layla Haddad", "Omar Said"], true],
  ["Layla Haddad in Business", ["Layla Haddad in Business"], false],
  ["ليلى حداد من القاهرة وعمر سعيد من بيروت", ["ليلى حداد", "عمر سعيد"], true],
])("places that several write from are no part of their names: %s", (byline, names, isList) => {
  expect(namesIn([byline])).toEqual(names);
  expect(isPlacedList(byline)).toBe(isList);
});

test("names are told once, at most 25 of them, each of 2 to 80 characters", () => {
  expect(namesIn(["Layla Haddad", "By Layla Haddad, Omar Said"])).toEqual(["Layla Haddad", "Omar Said"]);
  const many = Array.from(
    { length: 30 },
    (_, n) => `Layla Had${String.fromCharCode(97 + (n % 26))}${n > 25 ? "x" : ""}`,
  );
  expect(namesIn(many)).toHaveLength(25);
  expect(namesIn(["L"])).toEqual([]);
  expect(namesIn(["Le"])).toEqual(["Le"]);
  expect(namesIn([`L${"a".repeat(79)}`])).toHaveLength(1);
  expect(namesIn([`L${"a".repeat(80)}`])).toEqual([]);
});

test("a section of the news is no name, an agency is an organisation", () => {
  expect(["World News", "US & Canada", "Middle East", "sports"].map(isSection)).toEqual([true, false, true, true]);
  expect(isSection("")).toBe(false);
  expect(["Reuters", "The Associated Press", "وكالة رويترز", "وكالات"].map(isAgency)).toEqual(Array(4).fill(true));
  expect(["Reuters Institute", "Layla Haddad", "News Desk"].map(isAgency)).toEqual([false, false, false]);
});
