import { describe, expect, test } from "bun:test";
import { askedFor, coverage, hasAskedFor, numbersOf, stemsOf, topicOf } from "./question.ts";

describe("what a question asks for", () => {
  test.each([
    ["How many people came?", "number"],
    ["كم بلغت كلفة المحطة؟", "number"],
    ["ما عدد سكان المدينة؟", "number"],
    ["When did the bridge open?", "time"],
    ["متى افتتح الجسر؟", "time"],
    ["In which year was it built?", "time"],
    ["Who won the cup?", undefined],
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
    [undefined, "Anything.", undefined],
  ] as const)("of %s %s has it: %s", (kind, sentence, has) => expect(hasAskedFor(kind, sentence)).toBe(has));
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
    hasAskedFor("time", text);
  }
  expect((process.cpuUsage().user - start) / 1000).toBeLessThan(1_000);
});
