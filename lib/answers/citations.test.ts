import { expect, test } from "bun:test";
import { citationsOf, sentencesOf } from "./citations.ts";
import type { Source } from "./tasks.ts";

const CONTENT = "افتُتح الخط يوم الاثنين. بلغت كلفته 410 ملايين دينار 🚆. وحضر الوزير.";
const source = (n: number, over: Partial<Source> = {}): Source => ({
  ...{ n, articleId: n, title: "Rail line opens", url: "u" },
  passages: [{ text: CONTENT, start: 100 }],
  ...over,
});

const slice = (start: number, end: number) => [...CONTENT].slice(start, end).join("");

test("a source's sentences have their places in its article, in code points, and its headline has none", () => {
  const [headline, first, second, ...rest] = sentencesOf(source(1));
  expect(headline).toMatchObject({ text: "Rail line opens", offsets: null });
  expect(first?.text).toBe("افتُتح الخط يوم الاثنين.");
  const { start = 0, end = 0 } = second?.offsets ?? {};
  expect(slice(start - 100, end - 100)).toBe(second?.text ?? "");
  expect(rest).toHaveLength(1);
  expect(sentencesOf(source(1, { title: " " }))).toHaveLength(3);
});

test("a citation names the sentence that says most of its statement", () => {
  const [cost, who] = citationsOf("بلغت الكلفة 410 ملايين دينار [1]. وحضر الوزير [2][9].", [source(1), source(2)]);
  expect(cost).toMatchObject({ n: 1, quote: "بلغت كلفته 410 ملايين دينار 🚆." });
  expect(cost).not.toHaveProperty("unsupported");
  expect(who).toMatchObject({ n: 2, quote: "وحضر الوزير." });
});

test("a number that the source does not say is marked", () => {
  const [wrong] = citationsOf("It cost 420 million dinars. [1]", [source(1)]);
  expect(wrong?.unsupported).toEqual(["420 million"]);
  expect(citationsOf("It cost 410 million. [1]", [source(1)])[0]).not.toHaveProperty("unsupported");
});

test("a number of millions is none of billions, however both are written", () => {
  const unsupported = (answer: string, text: string) =>
    citationsOf(answer, [source(1, { passages: [{ text, start: 0 }] })])[0]?.unsupported;
  expect(unsupported("It cost 410 billion dinars. [1]", CONTENT)).toEqual(["410 billion"]);
  expect(unsupported("It cost 3.1bn. [1]", "The price was 3,100,000,000 dinars.")).toBeUndefined();
  expect(unsupported("بلغت 3.1 مليون. [1]", "The price was 3.1bn.")).toEqual(["3.1 مليون"]);
  expect(unsupported("It cost 400 million. [1]", "Between 400 and 420 million were spent.")).toBeUndefined();
});

test("a number in words is the same in digits, in both languages", () => {
  const unsupported = (answer: string, text: string) =>
    citationsOf(answer, [source(1, { passages: [{ text, start: 0 }] })])[0]?.unsupported;
  expect(unsupported("Four people died [1].", "قتل ثلاثة أشخاص.")).toEqual(["Four"]);
  expect(unsupported("Three people died [1].", "قتل ثلاثة أشخاص.")).toBeUndefined();
  expect(unsupported("قتل 23 شخصا [1].", "Twenty-three people died.")).toBeUndefined();
  expect(unsupported("قتل ثلاثة وعشرون شخصا [1].", "Twenty-four people died.")).toEqual(["ثلاثة وعشرون"]);
  expect(unsupported("أصيب ثلاثة عشر [1].", "13 were hurt.")).toBeUndefined();
  expect(unsupported("It cost three hundred and fifty thousand [1].", "It cost 350,000.")).toBeUndefined();
  expect(unsupported("Three and four came [1].", "3 came, then 4.")).toBeUndefined();
  expect(unsupported("It cost 5 million [1].", "It cost five million.")).toBeUndefined();
  expect(unsupported("دفع ثلاثمئة دينار [1].", "He paid 400 dinars.")).toEqual(["ثلاثمئة"]);
  expect(unsupported("دفع ألفا وثلاثمئة وخمسين [1].", "He paid 1,350.")).toBeUndefined();
  expect(unsupported("قتل واحداً و ثمانين [1].", "Eighty-one died.")).toBeUndefined();
  expect(unsupported("قتل واحداً و ثمانين [1].", "Eighty died.")).toEqual(["واحداً و ثمانين"]);
  expect(unsupported("خصصت خمسة تريليونات [1].", "It gave three trillion.")).toEqual(["خمسة تريليونات"]);
});

test("what only looks like a number in words, or has another form in the other language, is not marked", () => {
  const text = "I am not there. The 15th century; over a million, and two hundred.";
  const quiet = [
    "لستُ هناك",
    "القرن الخامس عشر",
    "في القرن العشرين",
    "one million",
    "two hundred",
    "Two of them",
    "ألبوم وايلد وست",
  ];
  for (const said of quiet) {
    const [citation] = citationsOf(`${said} [1].`, [source(1, { passages: [{ text, start: 0 }] })]);
    expect(citation).not.toHaveProperty("unsupported");
  }
  const rows = [
    source(1, { passages: [{ text: "وصل في الثالثة، ومعه العوامل الأربعة، في القرن الخامس عشر.", start: 0 }] }),
  ];
  expect(citationsOf("All four came at three, in the year fifteen [1].", rows)[0]).not.toHaveProperty("unsupported");
  expect(citationsOf("All five came at six [1].", rows)[0]?.unsupported).toEqual(["five", "six"]);
});

test("what is said beside the cited statements is held against all sources", () => {
  const [first] = citationsOf("It took 7 years. It cost 410 million [1].", [source(1)]);
  expect(first?.unsupported).toEqual(["7"]);
  const [only] = citationsOf("It cost 410 million [1]. 12 people came in 2019.", [source(1)]);
  expect(only?.unsupported).toEqual(["12", "2019"]);
  const other = source(2, { passages: [{ text: "It took 7 years.", start: 0 }] });
  expect(citationsOf("It took 7 years. It cost 410 million [1].", [source(1), other])[0]).not.toHaveProperty(
    "unsupported",
  );
});

test("so is a month, in whichever language the source has it", () => {
  const dated = [source(1, { passages: [{ text: "افتُتح الخط في ٣ آذار 2019.", start: 0 }] })];
  expect(citationsOf("It opened on 3 March 2019 [1].", dated)[0]).not.toHaveProperty("unsupported");
  expect(citationsOf("It opened on 3 May 2019 [1].", dated)[0]?.unsupported).toEqual(["May"]);
  expect(citationsOf("افتتح في 4 مارس 2019 [1].", dated)[0]?.unsupported).toEqual(["4"]);
  expect(citationsOf("افتتح في 3 كانون الثاني 2019 [1].", dated)[0]?.unsupported).toEqual(["كانون الثاني"]);
  expect(citationsOf("افتتح في تشرين الأول من عام 2019 [1].", dated)[0]?.unsupported).toEqual(["تشرين الأول"]);
  expect(citationsOf("It opened 3 Jan. 2019 [1].", dated)[0]?.unsupported).toEqual(["Jan"]);
  expect(citationsOf("In 2019 may trains run, 3 out of them [1].", dated)[0]).not.toHaveProperty("unsupported");
});

test("so are the day of a month, and day and month that changed places", () => {
  const unsupported = (answer: string, text: string) =>
    citationsOf(`${answer} [1].`, [source(1, { passages: [{ text, start: 0 }] })])[0]?.unsupported;
  const both = "It began on 3 March and closed on 4 May 2019.";
  expect(unsupported("It began on 4 March 2019", both)).toEqual(["4 March"]);
  expect(unsupported("It closed on 4 May", both)).toBeUndefined();
  expect(unsupported("بدأ في 4 آذار", both)).toEqual(["4 آذار"]);
  expect(unsupported("It lasted until 5 March", "It ran from 3 to 5 March 2019.")).toBeUndefined();
  expect(unsupported("It opened on 04/03/2019", "It opened on 3/4/2019.")).toEqual(["04/03/2019"]);
  expect(unsupported("It opened on 03/04/2019", "افتتح في ٣/٤/٢٠١٩.")).toBeUndefined();
});

test("an answer that cites nothing rests on nothing", () => {
  expect(citationsOf("The sources do not say.", [source(1)])).toEqual([]);
});
