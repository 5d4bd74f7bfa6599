import { describe, expect, test } from "bun:test";
import {
  type Agreement,
  compareFacts,
  isOpposite,
  isSame,
  readFacts,
  readPolarity,
  similarityOf,
  similarityWithin,
} from "./compare.ts";
import { wordsOf } from "./names.ts";

const conflict = (a: string, b: string, ofA: string[] = [], ofB: string[] = []) =>
  compareFacts(readFacts(a, ofA), readFacts(b, ofB)).conflict;

describe("two sentences contradict", () => {
  test.each<[string, string, Agreement["conflict"]]>([
    ["It cost 500 dollars.", "It cost 600 dollars.", "number"],
    ["قتل 12 شخصا", "لقي ثلاثة عشر شخصا مصرعهم", "number"],
    ["It opened in 1998.", "It has been open since 1989.", "date"],
    ["في السادس من آب", "on August 16", "date"],
    ["Prices rose.", "Prices fell.", "direction"],
    ["ارتفع معدل البطالة", "Unemployment fell", "direction"],
    ["He denied the report.", "He confirmed the report.", "direction"],
    ["لم يوقع الرئيس القانون", "The president signed the law", "direction"],
    ["Prices have not risen.", "Prices fell.", "direction"],
    ["They rejected the offer.", "They accepted the offer.", "direction"],
  ])("%s | %s", (a, b, expected) => {
    expect(conflict(a, b)).toBe(expected);
    expect(conflict(b, a)).toBe(expected);
  });

  test("where each names somebody whom the other does not", () => {
    const names = (a: string, b: string) => conflict(`${a} came.`, `${b} came.`, [a], [b]);
    expect(names("Ali Hassan", "Omar Hassan")).toBe("name");
    expect(names("بغداد", "الموصل")).toBe("name");
    expect(names("United Nations", "UN")).toBeUndefined();
    expect(names("Rishi Sunak", "Sunak")).toBeUndefined();
    expect(names("العراق", "Iraq")).toBeUndefined();
    expect(names("محمود عباس", "Mahmoud Abbas")).toBeUndefined();
    expect(names("طهران", "إيران")).toBeUndefined();
    expect(names("البرلمان", "مجلس النواب")).toBeUndefined();
  });
});

describe("two sentences do not contradict", () => {
  test.each([
    ["It cost 1.2 million.", "It cost 1,200,000."],
    ["Five people died.", "Some five people died on Tuesday near the river."],
    ["They did not accept the offer.", "They rejected the offer."],
    ["It fell to 4.1 percent, its lowest level.", "It dropped to 4.1%."],
    ["المياه خالية من المواد", "The water has no such materials"],
  ])("%s | %s", (a, b) => {
    expect(conflict(a, b)).toBeUndefined();
  });
});

test("likeness grows with meaning and with what is shared, and what contradicts is never the same", () => {
  const alike = compareFacts(readFacts("Unemployment rose to 22 percent."), readFacts("The jobless rate rose to 22%."));
  const similarities = [0.3, 0.6, 0.9].map((near) => similarityOf(alike, { near, read: 0.8 + near / 10 }));
  expect(similarities).toEqual(similarities.toSorted((a, b) => a - b));
  expect(isSame(alike, 0.99)).toBe(true);
  expect(isSame(alike, 0.01)).toBe(false);
  expect(isSame({ ...alike, conflict: "number" }, 0.99)).toBe(false);
});

test("no agreement is more alike than meaning allows, whatever was read of it", () => {
  const conflicts: Agreement["conflict"][] = [undefined, "number", "date", "name", "direction"];
  const shares = [0, 0.4, 1];
  for (const meaning of [{ near: 0.3 }, { near: 0.6, read: 0.9 }, { near: 0.5, read: 0.8, words: 0.7 }]) {
    const { likely, most } = similarityWithin(meaning);
    expect(likely).toBeLessThanOrEqual(most);
    for (const conflict of conflicts) {
      for (const ofA of shares) {
        for (const ofB of shares) {
          for (const [shared, extra, apart] of [
            [0, 0, 0],
            [2, 0, 0],
            [9, 9, 9],
          ] as const) {
            const agreement = { conflict, ofA, ofB, shared, extra, apart };
            expect(similarityOf(agreement, meaning)).toBeLessThanOrEqual(most + 1e-12);
          }
        }
      }
    }
  }
});

describe("of two sentences are counted", () => {
  const agreement = (a: string, b: string, ofA: string[] = [], ofB: string[] = []) =>
    compareFacts(readFacts(a, ofA), readFacts(b, ofB));

  test("numbers that both have and that one lacks, rounded ones as one", () => {
    expect(agreement("40 of 1.2 million", "40 of 1,204,000")).toMatchObject({ shared: 2, extra: 0 });
    expect(agreement("40 of 90", "40")).toMatchObject({ shared: 1, extra: 1, conflict: undefined });
    expect(agreement("5 percent", "5")).toMatchObject({ shared: 0, extra: 2, conflict: "number" });
  });

  test("names that one lacks, and the words of each that the other has", () => {
    expect(agreement("Sara came to Amman", "Sara came", ["Sara", "Amman"], ["Sara"])).toMatchObject({ apart: 1 });
    expect(agreement("Prices rose", "Prices rose in Amman")).toMatchObject({ ofA: 1 });
    expect(agreement("", "Prices rose")).toMatchObject({ ofA: 0, ofB: 0, shared: 0, extra: 0 });
  });

  test("a number before a date, and a date before a name", () => {
    expect(agreement("5 in 2019", "6 in 2020").conflict).toBe("number");
    expect(agreement("Sara in 2019", "Omar in 2020", ["Sara"], ["Omar"]).conflict).toBe("date");
    expect(agreement("on Monday", "on Friday").conflict).toBe("date");
  });
});

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

describe("how likely two sentences claim the same", () => {
  const nothing: Agreement = { conflict: undefined, ofA: 0, ofB: 0, shared: 0, extra: 0, apart: 0 };
  const oddsOf = (agreement: Partial<Agreement>, meaning: Parameters<typeof similarityOf>[1]): number => {
    const likely = similarityOf({ ...nothing, ...agreement }, meaning);
    return Math.log(likely / (1 - likely));
  };

  test.each([
    ["the embedding alone", { near: 0.5 }, 5.836 * 0.5 - 5.817],
    ["both models", { near: 0.5, read: 0.9 }, 2.775 * 0.5 + 62.619 * 0.9 - 55.751],
    ["a search by word, too", { near: 0.5, read: 0.9, words: 1 }, 4.937 * 0.5 + 60.527 * 0.9 + 3.167 - 57.464],
    ["words without a reading as the embedding", { near: 0.5, words: 1 }, 5.836 * 0.5 - 5.817],
  ])("is weighed by %s", (_, meaning, odds) => {
    expect(oddsOf({}, meaning)).toBeCloseTo(odds, 6);
  });

  test("counts the greater and the smaller share of words, and that of the other", () => {
    const base = oddsOf({}, { near: 0.5 });
    expect(oddsOf({ ofA: 0.5, ofB: 0.25 }, { near: 0.5 }) - base).toBeCloseTo(
      4.278 * 0.5 + 5.833 * 0.25 + 1.222 * 0.25,
      6,
    );
    expect(oddsOf({ ofA: 0.25, ofB: 0.5 }, { near: 0.5 }) - base).toBeCloseTo(
      4.278 * 0.5 + 5.833 * 0.25 + 1.222 * 0.5,
      6,
    );
  });

  test("counts two numbers that both have and three that one lacks, and no more", () => {
    const odds = (agreement: Partial<Agreement>) => oddsOf(agreement, { near: 0.5 });
    expect(odds({ shared: 2 }) - odds({})).toBeCloseTo(2 * 1.086, 6);
    expect(odds({ shared: 9 })).toBe(odds({ shared: 2 }));
    expect([odds({ extra: 9 }), odds({ apart: 9 })]).toEqual([odds({ extra: 3 }), odds({ apart: 3 })]);
    expect(odds({ apart: 1 })).toBeLessThan(odds({}));
  });

  test("is the same from one half on, where nothing contradicts", () => {
    expect([isSame(nothing, 0.5), isSame(nothing, 0.499), isSame({ ...nothing, conflict: "date" }, 1)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
