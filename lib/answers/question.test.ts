import { describe, expect, test } from "bun:test";
import { KINDS_ASKED_FOR, askedFor, coverage, hasAskedFor, numbersOf, stemsOf, topicOf } from "./question.ts";

describe("what a question asks for", () => {
  test.each([
    ["How many people came?", "number"],
    ["كم بلغت كلفة المحطة؟", "number"],
    ["ما عدد سكان المدينة؟", "number"],
    ["When did the bridge open?", "time"],
    ["متى افتتح الجسر؟", "time"],
    ["In which year was it built?", "time"],
    ["How old is the captain?", "age"],
    ["كم عمر القبطان؟", "age"],
    ["How much did the bridge cost?", "money"],
    ["بكم بيعت العبارة؟", "money"],
    ["بكم فاز الفريق؟", "number"],
    ["Who won the cup?", "person"],
    ["من فاز بالكأس؟", "person"],
    ["من أي مدينة جاء الفريق؟", "place"],
    ["من أي جامعة تخرج؟", undefined],
    ["Where is the bridge?", "place"],
    ["في أي مدينة الجسر؟", "place"],
    ["Why was it built?", "reason"],
    ["لماذا بني الجسر؟", "reason"],
    ["What is it called?", undefined],
    ["كمال جنبلاط من هو؟", undefined],
    ["What happened whenever it rained?", undefined],
  ] as const)("%s: %s", (question, kind) => expect(askedFor(question)).toBe(kind));

  test.each([
    ["number", "It cost 410 million dinars.", true],
    ["number", "وحضر ٩٠ شخصا.", true],
    ["number", "بلغت الكلفة ثلاثة ملايين.", true],
    ["number", "The mayor was pleased.", false],
    ["time", "It opened on Tuesday.", true],
    ["time", "افتتح في تموز الماضي.", true],
    ["time", "افتتحه الوزير.", false],
    ["money", "It cost 410 million dinars.", true],
    ["money", "It took 6 years.", false],
    ["money", "It cost many dinars.", false],
    ["age", "Its captain is a 41-year-old.", true],
    ["age", "ويبلغ القبطان من العمر 41 عاما", true],
    ["age", "It sailed 41 times.", false],
    ["place", "It stands in Sahlan.", true],
    ["place", "ويقع في سهلان", true],
    ["place", "It stands still.", false],
    ["reason", "It closed because of the flood.", true],
    ["reason", "أغلق بسبب الفيضان", true],
    ["reason", "It closed.", false],
    ["person", "The mayor was pleased.", undefined],
    [undefined, "Anything.", undefined],
  ] as const)("of %s %s has it: %s", (kind, sentence, has) => expect(hasAskedFor(kind, sentence)).toBe(has));
});

test("a number of the question is not what is asked for", () => {
  expect(hasAskedFor("number", "The line of 2019 is long.", "How many rode the line of 2019?")).toBe(false);
  expect(hasAskedFor("time", "The line of 2019 is long.", "When was the line of 2019 begun?")).toBe(false);
  expect(hasAskedFor("number", "In 2019 some 300 rode it.", "How many rode the line of 2019?")).toBe(true);
});

test("numbers are one, however they are written", () => {
  expect(numbersOf("73,200 and 73200, ٧٣٬٢٠٠, 4.1% in 2019.")).toEqual(["73200", "73200", "73200", "4.1", "2019"]);
  expect(numbersOf("covid19 x2")).toEqual([]);
});

test("a topic is covered by inflected forms, and by nothing where they are missing", () => {
  const topic = topicOf("Which bridges did the councils build?");
  expect(coverage(topic, stemsOf("The council is building a bridge."))).toBe(1);
  expect(coverage(topic, stemsOf("The ferry sank."))).toBe(0);
  const arabic = topicOf("من افتتح محطة التحلية؟");
  expect(coverage(arabic, stemsOf("افتتح الوزير محطة تحلية المياه"))).toBe(1);
  expect(coverage([], new Set())).toBe(1);
});

test("hostile texts cost little", () => {
  const start = process.cpuUsage().user;
  for (const text of ["1".repeat(200_000), "1.".repeat(100_000), "١,".repeat(100_000), "how ".repeat(50_000)]) {
    numbersOf(text);
    askedFor(text);
    for (const kind of KINDS_ASKED_FOR) hasAskedFor(kind, text, text);
  }
  expect((process.cpuUsage().user - start) / 1000).toBeLessThan(1_000);
});
