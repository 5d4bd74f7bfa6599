import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../chat-model.ts";
import { processorMs } from "@isnad/lib/std/testing";
import { searchQuery } from "./search-query.ts";

/** A conversation of questions, each but the last with some answer. */
function conversation(...questions: string[]): ChatMessage[] {
  return questions.flatMap((content, i): ChatMessage[] => [
    ...(i > 0 ? [{ role: "assistant" as const, content: "An answer of many words about harbours." }] : []),
    { role: "user", content },
  ]);
}

describe("what is searched for", () => {
  test("is the last user message, whatever else was said", () => {
    expect(searchQuery(conversation("Who won the cup final?", "What does the new solar plant cost?"))).toBe(
      "What does the new solar plant cost?",
    );
    expect(searchQuery([{ role: "system", content: "Be kind." }, ...conversation("من فاز بكأس الأبطال؟")])).toBe(
      "من فاز بكأس الأبطال؟",
    );
  });

  test.each([
    [["Who won the cup final?", "and in 2019?"], "Who won the cup final and in 2019?"],
    [["Who won the 2018 cup final?", "and in 2019?"], "Who won the cup final and in 2019?"],
    [["Who won the cup final?", "What about the year before?"], "Who won the cup final What about the year before?"],
    [["Who is the minister of health?", "How old is she?"], "Who is the minister of health How old is she?"],
    [["Who is the minister of health?", "Since when?"], "Who is the minister of health Since when?"],
    [["من فاز بكأس الأبطال في عام ٢٠١٨؟", "وفي ٢٠١٩؟"], "من فاز بكأس الأبطال في عام وفي ٢٠١٩؟"],
    [["من هو وزير الصحة الجديد؟", "متى ولد؟"], "من هو وزير الصحة الجديد متى ولد؟"],
    [
      ["من هو وزير الصحة الجديد؟", "ماذا عن نائب الوزير السابق؟"],
      "من هو وزير الصحة الجديد ماذا عن نائب الوزير السابق؟",
    ],
  ])("goes on with the question before: %p", (questions, query) => {
    expect(searchQuery(conversation(...questions))).toBe(query);
  });

  test("goes back as far as questions hang together, and no further", () => {
    expect(
      searchQuery(conversation("Which dam ran dry?", "Who won the 2017 cup final?", "and in 2018?", "and in 2019?")),
    ).toBe("Who won the cup final and in and in 2019?");
  });

  test("does not begin with a question that is not there", () => {
    expect(searchQuery(conversation("and in 2019?"))).toBe("and in 2019?");
  });

  test("has at most 2,000 characters, and the last ones", () => {
    const query = searchQuery(conversation(`${"كلمة ".repeat(1000)}😀 نهاية`));
    expect([...query].length).toBeLessThanOrEqual(2000);
    expect(query).toEndWith("😀 نهاية");
  });

  test.each(["?", ".", "!", "؟", " ", "\t", "x ", "كلمة ", "2019 ", "-", "'"])(
    "takes time with the length of a turn of %j that a follow-up hangs on",
    async (mark) => {
      const turn = `who is x${mark.repeat(Math.floor(190_000 / mark.length))}x`;
      expect(await processorMs(() => searchQuery(conversation(turn, "and in 2019?")))).toBeLessThan(50);
    },
  );

  test("takes no more for many follow-ups of a long turn than for the turn", async () => {
    const turns = [`who is ${"كلمة ".repeat(36_000)}`, ...Array.from({ length: 99 }, () => "and in 2019?")];
    expect(await processorMs(() => searchQuery(conversation(...turns)))).toBeLessThan(100);
  });
});
