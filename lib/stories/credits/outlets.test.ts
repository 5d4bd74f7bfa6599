import { describe, expect, test } from "bun:test";
import { listedNear, mentionAt, outletNamed, withoutClitics, wordsOf } from "./outlets.ts";
import { quotations } from "./credits.ts";

const mentions = (text: string) => {
  const words = wordsOf(text);
  return words.flatMap((_, at) => mentionAt(text, words, at) ?? []);
};

describe("mentionAt", () => {
  test("takes the longest name that begins at a word, with where it stands", () => {
    const text = "on the Wall Street Journal and The Times of Israel";
    const [first] = mentions(text);
    expect(first).toMatchObject({ name: "The Wall Street Journal", isWeak: false });
    expect(mentions(text).map(({ name }) => name)).toContain("The Times of Israel");
    expect(text.slice(first?.start, first?.end)).toMatch(/Wall Street Journal$/);
  });

  test.each([
    ["لرويترز", "Reuters", "ل"],
    ["ورويترز", "Reuters", "و"],
    ["وبرويترز", "Reuters", "وب"],
    ["رويترز", "Reuters", ""],
    ["وكالة الأنباء القطرية", "Qatar News Agency", ""],
    ["والأسوشيتد برس", "Associated Press", "و"],
  ])("%s is %s with %p before it", (text, name, clitic) => {
    expect(mentions(text)[0]).toMatchObject({ name, clitic });
  });

  test("another spelling of a foreign name is that name", () => {
    expect(mentions("إلموندو ديبورتيفو")[0]).toMatchObject({ name: "Mundo Deportivo", isWeak: false });
    expect(mentions("باريس")).toEqual([]);
  });

  test.each(["the guardian of the temple", "a metro line", "time is short", "the independent candidates"])(
    "%s names no outlet",
    (text) => {
      expect(mentions(text).filter(({ isWeak }) => !isWeak)).toEqual([]);
    },
  );

  test("with the ending of its site a name that is a word, too, is an outlet", () => {
    expect(mentions("a Time.com report")[0]).toMatchObject({ name: "Time", isWeak: false });
    expect(mentions("At that time.Some said")).toEqual([]);
  });
});

describe("outletNamed", () => {
  test.each([
    ["بي بي سي", "BBC"],
    ["bbc", "BBC"],
    ["رويترز", "Reuters"],
    ["The Guardian", "The Guardian"],
  ])("%s is %s", (name, outlet) => {
    expect(outletNamed(name)).toBe(outlet);
  });

  test("a longer name is another one", () => {
    expect(outletNamed("BBC Worldwide Holdings")).toBeUndefined();
    expect(outletNamed("")).toBeUndefined();
  });
});

describe("listedNear", () => {
  test.each([
    ["وول سترتيت جورنال", "The Wall Street Journal"],
    ["أوتاوا سيتيزن", "Ottawa Citizen"],
    ["دير ستاندرد", "Der Standard"],
  ])("%s is %s", (written, name) => {
    expect(listedNear(written)).toBe(name);
  });

  test.each(["الجبل", "صدى الجبل", "وول", ""])("%p is none", (written) => {
    expect(listedNear(written)).toBeUndefined();
  });
});

test("letters that are joined to a word are taken off, and a short word keeps its own", () => {
  expect(withoutClitics("وبالعربيه").map(({ clitic }) => clitic)).toEqual(["", "و", "وب"]);
  expect(withoutClitics("للحياه").map(({ form }) => form)).toContain("الحياه");
  expect(withoutClitics("ولد")).toEqual([{ form: "ولد", clitic: "" }]);
  expect(withoutClitics("قال")).toHaveLength(1);
});

describe("quotations", () => {
  const quoted = (text: string) => quotations(text).map(({ start, end }) => text.slice(start, end));

  test.each([
    ['He said: "we will not go there again, ever" and left.', '"we will not go there again, ever"'],
    ["وقال: «لن نذهب إلى هناك مرة أخرى أبدا» وغادر.", "«لن نذهب إلى هناك مرة أخرى أبدا»"],
    ["He said: “we will not go there again, ever” and left.", "“we will not go there again, ever”"],
  ])("%s", (text, quotation) => {
    expect(quoted(text)).toEqual([quotation]);
  });

  test("names in quotes are none, nor is what never ends", () => {
    expect(quoted('صحيفة "نيويورك تايمز" قالت')).toEqual([]);
    expect(quoted("He said: “we will not go there again")).toEqual([]);
    expect(quoted(`“${"word ".repeat(500)}”`)).toEqual([]);
  });

  test("of a quotation over paragraphs the last one is closed, and each is one", () => {
    const text = "“We will not go there again, ever.\n\n“They will not come here again either.”";
    expect(quoted(text)).toEqual(["“They will not come here again either.”"]);
  });
});
