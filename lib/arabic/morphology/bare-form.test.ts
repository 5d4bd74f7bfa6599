import { describe, expect, test } from "bun:test";
import { bareForm, plainSpelling, withoutMarks } from "./bare-form.ts";

describe("plainSpelling()", () => {
  test.each([
    ["a hamza beside its letter", "ا\u0654حمد وا\u0655لى", "أحمد وإلى"],
    ["presentation forms", "ﺍﻟﻌﺮﺑﻴﺔ", "العربية"],
    ["a ligature of one word", "ﻻعب", "لاعب"],
    ["alef wasla", "ٱلْكِتَٰب", "الْكِتَٰب"],
    ["characters that are not seen", "\ufeffال\u200dعر\u00adبية\u200f", "العربية"],
    ["the Arabic percent sign", "٪", "%"],
    ["nothing of what is plain", "العـربيَّة", "العـربيَّة"],
  ])("takes %s for what the lexicon writes", (_, written, plain) => {
    expect(plainSpelling(written.split(" ")[0] ?? "")).toBe(plain.split(" ")[0] ?? "");
    expect(written.split(" ").map(plainSpelling).join(" ")).toBe(plain);
  });

  test("leaves what stands for several words, and what is not seen alone", () => {
    expect(plainSpelling("ﷺ")).toBe("ﷺ");
    expect(plainSpelling("\u200f")).toBe("\u200f");
  });

  test("takes no longer for ten thousand marks on a letter", () => {
    expect(plainSpelling(`ك${"\u064e\u0651".repeat(5_000)}`).length).toBeLessThan(40);
  });
});

describe("withoutMarks() and bareForm()", () => {
  test("keep the hamza of a letter, and fold it", () => {
    expect(withoutMarks("ا\u0654َحْمَـــدُ")).toBe("أحمد");
    expect(bareForm("ا\u0654َحْمَـــدُ")).toBe("احمد");
  });

  test("give nothing, and the word itself, where there are marks alone", () => {
    expect(withoutMarks("\u0651")).toBe("");
    expect(bareForm("\u0651")).toBe("\u0651");
  });
});
