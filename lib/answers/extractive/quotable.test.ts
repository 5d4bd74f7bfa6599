import { describe, expect, test } from "bun:test";
import { codePointSlice } from "../../text/mod.ts";
import { isCredit, leansOnOther, quotablesOf, withoutDateline } from "./quotable.ts";

const quoted = (text: string) => quotablesOf(text, 500).map((each) => each.text);

describe("a dateline is left out", () => {
  test.each([
    ["دبي، الإمارات العربية المتحدة (CNN)-- أعلن الوزير الموازنة.", "أعلن الوزير الموازنة."],
    ["القاهرة - رويترز: افتتح الجسر.", "افتتح الجسر."],
    ["LONDON, March 3 (Reuters) - The bridge opened.", "The bridge opened."],
    ["Los Angeles In this week the bridge opened.", "In this week the bridge opened."],
    ["PARIS — The bridge opened.", "The bridge opened."],
    ["(CNN) -- The bridge opened.", "The bridge opened."],
  ])("%s", (sentence, rest) => {
    expect(withoutDateline(sentence).text).toBe(rest);
    const [only] = quotablesOf(sentence, 10);
    expect(codePointSlice(sentence, only?.start ?? 0, only?.end ?? 0)).toBe(rest);
  });

  test.each([
    "The mayor (of Sahlan) opened the bridge.",
    "قال الوزير (السابق) إن الجسر افتتح.",
    "AP - a letter pair - was seen.",
  ])("%s stays whole", (sentence) => expect(withoutDateline(sentence)).toEqual({ text: sentence, cut: 0 }));
});

describe("bylines, credits and notices are not quoted", () => {
  test.each([
    "By Salma Haddad, Science Reporter",
    "Salma Haddad",
    "Photo: The new bridge, seen from the north",
    "Read more: how the bridge was built",
    "CNN's Salma Haddad contributed to this report.",
    "إعداد: سلمى حداد",
    "اقرأ أيضا: كيف بني الجسر",
    "يمكنكم تسلم إشعارات بأهم الموضوعات بعد تحميل أحدث نسخة من تطبيق بي بي سي عربي على هاتفكم المحمول.",
    "----------",
    "https://news.test/bridge",
  ])("%s", (line) => {
    expect(isCredit(line)).toBe(true);
    expect(quoted(`${line}\nThe bridge over the river opened on Tuesday.`)).toEqual([
      "The bridge over the river opened on Tuesday.",
    ]);
  });

  test.each([
    "The source of the river is in the hills.",
    "Video games were sold at the fair.",
    "By noon the bridge was full of people.",
    "By Tuesday the bridge over the river was full of people from both banks.",
    "كتب الوزير رسالة إلى المجلس يشرح فيها أسباب التأخير.",
    "صورة الوزير معلقة في كل مكتب من مكاتب البلدية.",
  ])("%s is a sentence", (line) => expect(isCredit(line)).toBe(false));

  test("headlines of other articles among sentences are left out, lines of a text without stops are not", () => {
    const text =
      "The bridge opened on Tuesday.\nHow the council of Sahlan paid for its second bridge\nPeople cheered the mayor.";
    expect(quoted(text)).toEqual(["The bridge opened on Tuesday.", "People cheered the mayor."]);
    const bare = "The council of Sahlan opened the second bridge\nThe mayor of the town thanked all who had built it";
    expect(quoted(bare)).toHaveLength(2);
  });

  test("unless there is nothing else", () => expect(quoted("Salma Haddad")).toEqual(["Salma Haddad"]));
});

describe("a quotation is quoted whole", () => {
  test("over the sentences that it runs over", () => {
    const text = 'The mayor said: "We waited long. It is here at last." People cheered the mayor.';
    expect(quoted(text)).toEqual([
      'The mayor said: "We waited long. It is here at last."',
      "People cheered the mayor.",
    ]);
    const arabic = "وقال العمدة «انتظرنا طويلا. وها هو هنا». وهتف الناس للعمدة.";
    expect(quoted(arabic)).toEqual(["وقال العمدة «انتظرنا طويلا. وها هو هنا».", "وهتف الناس للعمدة."]);
  });

  test("and one that does not end is known as cut open", () => {
    const open = (text: string) => quotablesOf(text, 500).map(({ isCutOpen }) => isCutOpen);
    expect(open('The mayor said: "We waited long. Nobody closed it. Nobody at all. Never in the town.')[0]).toBe(true);
    expect(open('Here it ended". The bridge is long.')).toEqual([true, false]);
    expect(open('كتب مقالا عن "الحياة القصيرة لأوسكار وو"، ونشره. ثم سافر إلى سيدني. وعاد.')).toEqual([
      false,
      false,
      false,
    ]);
    expect(open('طالب بـ"تغيير حاسم" في القانون ووقف " انتهاك الحقوق" الآن.')).toEqual([false]);
    expect(open('He read و"الجسر" aloud (twice). It was 5 o\'clock.')).toEqual([false, false]);
  });
});

test("a text whose lines are cut to one width is read as if they were not", () => {
  const text =
    "The council of Sahlan said on Tuesday that it expects\nthe second bridge over the river to be open before the\nharvest, though the road to it will not be paved until\nthe spring of next year. The mayor of the town told the\nreporters that the bank had agreed to the second half of\nthe loan.";
  expect(quoted(text).map((each) => each.split("\n").length)).toEqual([1, 1]);
  expect(quoted("A short line\nThe bridge is open.\nIt is long.\nIt was built.\nIt cost much.").length).toBe(4);
  expect(quoted(`${text}\n Ships   12\n Carts   9\n Men   31\n Mules   4`)[0]).toBe(quoted(text)[0]);
});

test("what asks, announces or only enumerates is not for a summary, what stands behind an announcement leans on it", () => {
  const told = quotablesOf(
    "The bridge opened. Who built it? The council names three firms: Noma of Sahlan cast it. S Best, A Foley, J Hayes, R Wilson. Ann, Bob and a boy in a red coat, with the mayor, crossed it at noon.",
    500,
  );
  expect(told.map(({ isCutOpen }) => isCutOpen)).toEqual([false, true, false, true, false]);
  const lines = quotablesOf(
    "The bridge opened on Tuesday.\nThere are three ways over the river:\nThe ferry takes an hour.",
    500,
  );
  expect(lines.map(({ isCutOpen, leans }) => [isCutOpen, leans])).toEqual([
    [false, false],
    [true, false],
    [false, true],
  ]);
});

test.each([
  ["He opened it.", true],
  ["But the mayor stayed.", true],
  ['"It is here," she said.', true],
  ["وأضاف أن العمل انتهى.", true],
  ['وتابع: "انتهى العمل".', true],
  ["كما افتتح السوق.", true],
  ["If they open it, ships wait.", true],
  ["لافتا إلى أن العمل انتهى.", true],
  ["ففي المدينة جسر آخر.", true],
  ["وكان الجسر حينذاك من خشب.", true],
  ["If the mayor opens it, ships wait.", false],
  ["في المدينة جسر آخر.", false],
  ["The mayor said he was glad.", false],
  ['"The bridge is here," the mayor said.', false],
  ["وأضاف العمدة أن العمل انتهى.", false],
  ['وقالت "رويترز" إن العمل انتهى.', false],
  ["Italy won.", false],
  ["هدم الجسر القديم.", false],
  ['"We waited long. The bridge is here."', true],
] as const)("%s leans on the sentence before it: %s", (sentence, leans) => expect(leansOnOther(sentence)).toBe(leans));

test("the first sentence of a text leans on none", () => {
  expect(quotablesOf("It opened on Tuesday. It is long.", 500).map(({ leans }) => leans)).toEqual([false, true]);
});

test("hostile texts cost little", () => {
  const start = process.cpuUsage().user;
  for (const text of [
    '"'.repeat(50_000),
    "(".repeat(50_000),
    "By ".repeat(20_000),
    "A, ".repeat(20_000),
    `"${"a. ".repeat(20_000)}`,
  ])
    quotablesOf(text, 500);
  expect((process.cpuUsage().user - start) / 1000).toBeLessThan(2_000);
});
