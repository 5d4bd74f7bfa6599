import { describe, expect, test } from "bun:test";
import { codePointSlice } from "../../text/mod.ts";
import { creditsOf, isOwnCredit } from "./credits.ts";

const names = (text: string) => creditsOf(text).map(({ name }) => name);

describe("creditsOf", () => {
  test("gives an agency one name over spellings and languages", () => {
    for (const text of [
      "قتل شخصان في الهجوم، وفق ما ذكرت وكالة فرانس برس.",
      "قتل شخصان في الهجوم (أ ف ب)",
      "ونقلت أ.ف.ب عن الشرطة أن شخصين قتلا.",
      "Two people were killed, AFP reported.",
      "PARIS (AFP) - Two people were killed.",
      "Two people were killed, according to Agence France-Presse.",
    ])
      expect(names(text)).toEqual(["Agence France-Presse"]);
    expect(names("نقلاً عن وكالة الأنباء السعودية (واس) أن الملك وصل.")).toEqual(["Saudi Press Agency"]);
    expect(names("ذكرت وكالة أنباء السعودية أن الملك وصل.")).toEqual(["Saudi Press Agency"]);
  });

  test("finds datelines, marks at the end, words told to an outlet, and papers in quotes that nobody lists", () => {
    expect(names("LONDON (Reuters) - Oil rose on Monday.")).toEqual(["Reuters"]);
    expect(names("دبي - رويترز: قال الوزير إن النفط ارتفع.")).toEqual(["Reuters"]);
    expect(names("وقال مسؤول أميركي لرويترز إن واشنطن لن تنسحب.")).toEqual(["Reuters"]);
    expect(names("A spokesman told the BBC that nobody was hurt.")).toEqual(["BBC"]);
    expect(names("نقلا عن صحيفة «النبأ الجديد» أن الجسر سيفتح.")).toEqual(["النبأ الجديد"]);
    expect(names("With files from Associated Press and Bloomberg")).toEqual(["Associated Press", "Bloomberg"]);
  });

  test("takes none from the inside of a quotation, from a picture, a place, or a club", () => {
    for (const text of [
      'He said: "According to Reuters nobody was ever hurt on that old bridge."',
      "وقال: «وفقا لرويترز لم يصب أحد بأذى على ذلك الجسر القديم أبدا».",
      "(AP Photo/John Smith) The bridge was closed.",
      "زار السياح الأهرام في الجيزة، ووفقا للمرشد فإن الشرق الأوسط جميل.",
      "Times Square was full, and the Sun rose over the Guardian Building.",
      "The BBC is to show sixty new episodes of the series next year.",
      "يمكنكم استلام إشعارات بعد تحميل تطبيق بي بي سي عربي على هاتفكم.",
    ])
      expect(names(text)).toEqual([]);
  });

  test("tells where a credit stands, in code points", () => {
    const text = "😀 ونقلت رويترز عن الوزير قوله إن السد لن يغلق.";
    const [credit] = creditsOf(text);
    expect(codePointSlice(text, credit?.start ?? 0, credit?.end ?? 0)).toBe("رويترز");
    expect(credit?.text).toBe("رويترز");
  });
});

test("a paper's own name is no credit, by whatever it is called", () => {
  const [credit = { name: "" }] = creditsOf("A spokesman told the BBC that nobody was hurt.");
  expect(isOwnCredit(credit, ["بي بي سي"])).toBe(true);
  expect(isOwnCredit(credit, ["bbc"])).toBe(true);
  expect(isOwnCredit(credit, ["CNN"])).toBe(false);
});
