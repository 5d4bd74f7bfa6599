import { describe, expect, test } from "bun:test";
import { isOpposite, readPolarity } from "./polarity.ts";
import { wordsOf } from "./words.ts";

const read = (text: string) => readPolarity(text, wordsOf(text).forms);
const opposite = (a: string, b: string) => [isOpposite(read(a), read(b)), isOpposite(read(b), read(a))];

describe("each axis is read both ways, in both languages", () => {
  test.each<[string, Record<string, -1 | 0 | 1>]>([
    ["Exports climbed to a record", { amount: 1 }],
    ["Wages are shrinking", { amount: -1 }],
    ["وازدادت الصادرات", { amount: 1 }],
    ["وتراجعت الأجور", { amount: -1 }],
    ["The council ratified the treaty", { consent: 1 }],
    ["The council vetoed the treaty", { consent: -1 }],
    ["وافق المجلس على الاتفاق", { consent: 1 }],
    ["عارض المجلس الاتفاق", { consent: -1 }],
    ["The crossing was reopened", { open: 1 }],
    ["The crossing was suspended", { open: -1 }],
    ["استأنفت المدرسة الدروس", { open: 1 }],
    ["ألغت المدرسة الدروس", { open: -1 }],
    ["The party won the seat", { win: 1 }],
    ["The party lost the seat", { win: -1 }],
    ["فاز الحزب بالمقعد", { win: 1 }],
    ["خسر الحزب المقعد", { win: -1 }],
    ["The reporter was freed", { free: 1 }],
    ["The reporter was kidnapped", { free: -1 }],
    ["أفرجت الشرطة عن الصحفي", { free: 1 }],
    ["اعتقلت الشرطة الصحفي", { free: -1 }],
    ["The law permits it", { allow: 1 }],
    ["The law prohibits it", { allow: -1 }],
    ["سمح القانون به", { allow: 1 }],
    ["حظر القانون ذلك", { allow: -1 }],
    ["The bank imposed a fine", { sanction: 1 }],
    ["فرضت الوزارة غرامة", { sanction: 1 }],
    ["The mayor was convicted", { guilt: 1 }],
    ["The mayor was acquitted", { guilt: -1 }],
    ["أدانت المحكمة العمدة", { guilt: 1 }],
    ["برأت المحكمة العمدة", { guilt: -1 }],
    ["The troops entered the town", { presence: 1 }],
    ["The troops retreated", { presence: -1 }],
    ["دخلت القوات البلدة", { presence: 1 }],
    ["انسحبت القوات", { presence: -1 }],
    ["The board appointed her", { office: 1 }],
    ["The board sacked her", { office: -1 }],
    ["عين المجلس مديرة", { office: 1 }],
    ["استقالت المديرة", { office: -1 }],
    ["The minister spoke in Amman", {}],
  ])("%s", (text, axes) => {
    expect(Object.fromEntries(read(text).axes)).toEqual(axes);
    expect(read(text).negated).toBe(false);
  });

  test("a ban that is lifted is allowed and ends a sanction", () => {
    expect(Object.fromEntries(read("The ministry lifts it").axes)).toEqual({ allow: 1, sanction: -1 });
  });
});

describe("a sentence is negated", () => {
  test.each([
    "The mayor never signed it",
    "It didn't happen",
    "It hasn’t been signed",
    "They won't pay",
    "The report is false",
    "The claim was debunked",
    "Trade is free of duty",
    "He is no longer mayor",
    "لم يوقع العمدة",
    "ليست هناك أزمة",
    "نفى العمدة التوقيع",
    "فندت الوزارة الخبر",
    "بدون موافقة المجلس",
  ])("%s", (text) => {
    expect(read(text).negated).toBe(true);
  });

  test("a word that only holds one that negates does not", () => {
    for (const text of ["The notable nobility", "They want the merchant", "A denim factory", "لوح العمدة بيده"]) {
      expect(read(text).negated).toBe(false);
    }
  });
});

describe("two sentences say the opposite", () => {
  test.each([
    ["The court freed him", "The court did not free him", true],
    ["The council approved it", "The council rejected it", true],
    ["The council did not approve it", "The council rejected it", false],
    ["Prices did not rise", "Prices fell", true],
    ["Prices rose", "Prices climbed", false],
    ["Prices rose and fell", "Prices fell", false],
    ["The mayor spoke", "The mayor resigned", false],
    ["استقال العمدة", "لم يستقل العمدة", true],
  ])("%s | %s: %p", (a, b, expected) => {
    expect(opposite(a, b)).toEqual([expected, expected]);
  });
});
