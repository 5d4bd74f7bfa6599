import { describe, expect, test } from "bun:test";
import { createDictionary, sharedDictionary } from "./dictionary.ts";

const dictionary = createDictionary(
  "بحير\t54\tlake:96 pond:4\nبرك\t30\tpond:100\n",
  "كاس عالم\tworld cup\nانقطاع طمث\tmenopaus\n",
);

describe("createDictionary()", () => {
  test("gives the translations of a stem in both directions, the likeliest first", () => {
    expect(dictionary.options("بحير")).toEqual([
      { stem: "lake", share: 0.96 },
      { stem: "pond", share: 0.04 },
    ]);
    expect(dictionary.options("lake")).toEqual([{ stem: "بحير", share: 1 }]);
    const back = dictionary.options("pond");
    expect(back.map(({ stem }) => stem)).toEqual(["برك", "بحير"]);
    expect(back.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  test("gives those of one word of a stem where it has a line of its own, which counts for no other", () => {
    const years = createDictionary("سن\t80\tyear:70 tooth:30\n=سن\t60\ttooth:100\n=نعام\t20\tostrich:100\n", "");
    expect(years.options("=سن")).toEqual([{ stem: "tooth", share: 1 }]);
    expect(years.options("سن")[0]).toEqual({ stem: "year", share: 0.7 });
    expect(years.options("tooth")).toEqual([{ stem: "سن", share: 1 }]);
    expect(years.options("ostrich")).toEqual([]);
  });

  test("finds the longest expression that stems begin with, in both directions", () => {
    expect(dictionary.expressionAt(["كاس", "عالم", "برازيل"])).toEqual({ length: 2, stems: ["world", "cup"] });
    expect(dictionary.expressionAt(["menopaus", "age"])).toEqual({ length: 1, stems: ["انقطاع", "طمث"] });
    expect(dictionary.expressionAt(["عالم", "كاس"])).toBeUndefined();
    expect(dictionary.options("zzz")).toEqual([]);
  });
});

describe("the dictionary that ships", () => {
  test("has what the words of a stem mean as often as they stand in the news", () => {
    const likeliest = (stem: string) => sharedDictionary().options(stem)[0]?.stem;
    expect(likeliest("عام")).toBe("year");
    expect(likeliest("مر")).toBe("time");
    expect(likeliest("اعضاء")).toBe("member");
    expect(likeliest("=رومانسي")).toBe("romant");
  });

  test("knows words of the news, technical words and names, both ways", () => {
    for (const [arabic, english] of [
      ["سفن", "ship"],
      ["بركان", "volcano"],
      ["يورانيوم", "uranium"],
      ["بوتين", "putin"],
    ] as const) {
      const stems = (stem: string) =>
        sharedDictionary()
          .options(stem)
          .map((option) => option.stem);
      expect(stems(arabic)).toContain(english);
      expect(stems(english)).toContain(arabic);
    }
  });
});
