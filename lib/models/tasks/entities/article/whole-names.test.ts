import { expect, test } from "bun:test";
import type { Entity } from "../aliases.ts";
import { knownOrganisations, wholeNames } from "./whole-names.ts";

const whole = (text: string, ...names: [name: string, type: string][]): string[] => {
  const mentions = names.map(([name, type]): Entity => {
    const start = text.indexOf(name);
    return { type, text: name, name, start, end: start + name.length, confidence: 0.9 };
  });
  return wholeNames(text, mentions).map(({ name, start, end }) => {
    expect(text.slice(start, end)).toBe(name);
    return name;
  });
};

test("two persons between whom nothing stands are one, with a conjunction they are two", () => {
  const text = "لعب ترينت ألكسندر أرنولد وساديو ماني";
  expect(whole(text, ["ترينت", "PERS"], ["ألكسندر أرنولد", "PERS"], ["ساديو ماني", "PERS"])).toEqual([
    "ترينت ألكسندر أرنولد",
    "ساديو ماني",
  ]);
});

test("an organisation's name in quotation marks ends with them", () => {
  expect(whole('قالت صحيفة "دياريو قول" أمس', ["دياريو", "ORG"])).toEqual(["دياريو قول"]);
  expect(whole("قالت صحيفة دياريو قول أمس", ["دياريو", "ORG"])).toEqual(["دياريو"]);
});

test("an institution has the adjective of its country, where it is the institution's", () => {
  expect(whole("نقلته وكالة الأنباء السودانية", ["وكالة الأنباء", "ORG"])).toEqual(["وكالة الأنباء السودانية"]);
  expect(whole("وكالة الأنباء السوداني", ["وكالة الأنباء", "ORG"])).toEqual(["وكالة الأنباء"]);
  expect(whole("بنك مصر المصري", ["بنك مصر", "ORG"])).toEqual(["بنك مصر"]);
});

test("a name does not end within what an institution is for", () => {
  const text = "الهيئة الوطنية لسلامة وسائل النقل في الحادث";
  expect(whole(text, ["الهيئة الوطنية لسلامة وسائل", "ORG"])).toEqual(["الهيئة الوطنية لسلامة وسائل النقل"]);
  const water = "المؤسسة العامة لتحلية المياه المالحة والشركة السعودية للمنتجات المتخصصة";
  expect(whole(water, ["المؤسسة العامة لتحلية المياه", "ORG"], ["الشركة السعودية للمنتجات", "ORG"])).toEqual([
    "المؤسسة العامة لتحلية المياه المالحة",
    "الشركة السعودية للمنتجات المتخصصة",
  ]);
});

test("a company of partners is one, and no person", () => {
  const text = "Smith Barney, Harris Upham and Co Inc and Paul Volcker and Congress";
  expect(whole(text, ["Smith Barney", "PER"], ["Harris Upham", "PER"], ["Paul Volcker", "PER"])).toEqual([
    "Smith Barney, Harris Upham and Co Inc",
    "Paul Volcker",
  ]);
});

const names = (text: string, found: Parameters<typeof knownOrganisations>[1] = []) =>
  knownOrganisations(text, found).map(({ name }) => name);

test("names of several words that the table has are found, with proclitics and without", () => {
  const text = "أعلن البيت الأبيض خروجها من الاتحاد الأوروبي وقمة لحلف شمال الأطلسي، وقال للأمم المتحدة";
  expect(names(text)).toEqual(["البيت الأبيض", "الاتحاد الأوروبي", "حلف شمال الأطلسي", "الأمم المتحدة"]);
  const [first] = knownOrganisations(text, []);
  expect(text.slice(first?.start, first?.end)).toBe("البيت الأبيض");
  expect(names("في #الأمم_المتحدة والحزب الشيوعي الحاكم في #الصين")).toEqual([
    "الأمم المتحدة",
    "الحزب الشيوعي الحاكم في الصين",
  ]);
});

test("the longest name counts, a word alone does not, and what the tagger found stands", () => {
  expect(names("الاتحاد الأوروبي لكرة القدم")).toEqual(["الاتحاد الأوروبي لكرة القدم"]);
  expect(names("فتح الباب على القاعدة في البيت الكبير")).toEqual([]);
  const longer = { type: "ORG", text: "", name: "مجلس الأمن القومي", start: 0, end: 17, confidence: 0.8 };
  expect(names("مجلس الأمن القومي", [longer])).toEqual([]);
});
