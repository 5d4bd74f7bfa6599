import { expect, test } from "bun:test";
import { expressionFinder, withExpressions } from "./expressions.ts";
import { tokenise } from "../../../text/sentences.ts";
import { foldToken } from "./find-entities.ts";

const find = expressionFinder();
const wordsOf = (text: string): string[] => tokenise(text).map((token) => foldToken(token.text));
const found = (text: string): string[] => {
  const tokens = tokenise(text);
  return find(wordsOf(text)).map(({ type, start, end, cut }) => {
    const from = (tokens[start]?.start ?? 0) + cut;
    return `${type} ${text.slice(from, tokens[end - 1]?.end)}`;
  });
};

test.each([
  ["بلغ السعر 12.5 مليون دولار أمريكي", ["MONEY 12.5 مليون دولار أمريكي", "CURR دولار أمريكي"]],
  ["دفع خمسة آلاف وثلاثمئة ليرة سورية", ["MONEY خمسة آلاف وثلاثمئة ليرة سورية", "CURR ليرة سورية"]],
  ["بيعت بخمسة آلاف دينار", ["MONEY خمسة آلاف دينار", "CURR دينار"]],
  ["تتراوح بين 50 و100 دينار", ["MONEY 50 و100 دينار", "CURR دينار"]],
  [
    "ارتفع ٢٥٪ ثم 3.5 % ثم أربعين في المئة ثم تسعة بالمائة",
    ["PERCENT ٢٥٪", "PERCENT 3.5 %", "PERCENT أربعين في المئة", "PERCENT تسعة بالمائة"],
  ],
  ["على عمق ١٠ كم", ["QUANTITY ١٠ كم", "UNIT كم"]],
  ["سرعة 110 كيلومترات في الساعة", ["QUANTITY 110 كيلومترات في الساعة", "UNIT كيلومترات في الساعة"]],
  ["مليوني برميل نفط", ["QUANTITY مليوني برميل", "UNIT برميل"]],
  ["يوم 14 تشرين الأول 2013 و7 رمضان 1445 هـ", ["DATE 14 تشرين الأول 2013", "DATE 7 رمضان 1445 هـ"]],
  ["زار الصومال ثم بوركينا فاسو ولبنان", ["GPE الصومال", "GPE بوركينا فاسو", "GPE لبنان"]],
  ["فاز 2-1", ["CARDINAL 2-1"]],
  ["مساحة 60 كيلومتراً مربعاً", ["QUANTITY 60 كيلومتراً مربعاً", "UNIT كيلومتراً مربعاً"]],
])("amounts in %p", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each(["في عام 2018", "36 سيارة", "ثلاثة رجال", "بعد يومين", "رمضان", "السوق المالي", "دولار", "%"])(
  "%p is no amount",
  (text) => {
    expect(found(text)).toEqual([]);
  },
);

const span = (type: string, start: number, end: number) => ({ type, start, end, cut: 0, probability: 0.5 });

test("what the model says otherwise of the words of an amount gives way to the rule", () => {
  const words = wordsOf("بلغ السعر 12 مليون دولار في مصر");
  const model = [span("CARDINAL", 2, 4), span("GPE", 6, 7)];
  expect(withExpressions(model, words, find).map(({ type, start, end }) => [type, start, end])).toEqual([
    ["MONEY", 2, 5],
    ["CURR", 4, 5],
    ["GPE", 6, 7],
  ]);
});

test("a rule cuts no name in two, and a longer expression of its type stays", () => {
  const words = wordsOf("فيلم مليون دولار بيبي");
  const film = [span("PRODUCT", 2, 4)];
  expect(withExpressions(film, words, find)).toEqual(film);
  const range = [span("MONEY", 1, 4)];
  expect(withExpressions(range, words, find)).toEqual(range);
});

test("a date of the rules stands only where the model has none", () => {
  const words = wordsOf("في الأول من آذار 2013");
  const model = [span("DATE", 1, 5)];
  expect(withExpressions(model, words, find)).toEqual(model);
  expect(withExpressions([], words, find).map(({ type, start, end }) => [type, start, end])).toEqual([["DATE", 3, 5]]);
});

test("a country and a score stand only where the model has nothing", () => {
  const words = wordsOf("سفارة لبنان 2-1");
  expect(withExpressions([span("ORG", 0, 2)], words, find).map(({ type }) => type)).toEqual(["ORG", "CARDINAL"]);
  expect(withExpressions([], words, find).map(({ type }) => type)).toEqual(["GPE", "CARDINAL"]);
});

test("an amount within a name is marked within it", () => {
  const words = wordsOf("برنامج مئة دولار للأسرة");
  const types = withExpressions([span("EVENT", 0, 4)], words, find).map(({ type }) => type);
  expect(types).toEqual(["EVENT", "MONEY", "CURR"]);
});
