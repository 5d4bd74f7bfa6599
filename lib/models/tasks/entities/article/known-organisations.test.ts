import { expect, test } from "bun:test";
import { knownOrganisations } from "./known-organisations.ts";

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
