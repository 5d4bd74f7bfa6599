import { describe, expect, test } from "bun:test";
import { sharedDictionary } from "./load.ts";
import { scriptOf, translatableWords, translate } from "./translate.ts";

const said = (query: string, from: "arabic" | "latin" = "arabic") =>
  translate(translatableWords(query), from, sharedDictionary()).map(({ options }) => options.map(({ stem }) => stem));

describe("translate()", () => {
  test("translates the words of a query that say something, each by itself", () => {
    const [ship, sank] = said("هل غرقت السفينة").toReversed();
    expect(ship).toContain("ship");
    expect(sank?.length).toBeGreaterThan(0);
    expect(said("what is a volcano", "latin")).toHaveLength(1);
  });

  test("translates an expression as a whole, and its words beside it for less", () => {
    const translations = translate(translatableWords("كأس العالم"), "arabic", sharedDictionary());
    expect(translations.slice(0, 2).map(({ options }) => options[0]?.stem)).toEqual(["world", "cup"]);
    const [whole, , part] = translations;
    expect(part?.weight ?? 1).toBeLessThan(whole?.weight ?? 0);
    expect(part?.name).toBeUndefined();
  });

  test("translates nothing that is quoted or excluded", () => {
    expect(said('"السفينة"')).toEqual([]);
    expect(said("-السفينة")).toEqual([]);
    expect(said("«السفينة» بركان")).toHaveLength(1);
  });

  test("translates the words of one script alone", () => {
    expect(said("سفينة volcano", "arabic")).toHaveLength(1);
    expect(said("سفينة volcano", "latin")).toHaveLength(1);
    expect(said("2024")).toEqual([]);
  });

  test("leaves a word that it does not have to be found by its sound", () => {
    const [word] = translate(translatableWords("زرقشتونك"), "arabic", sharedDictionary());
    expect(word).toEqual({ weight: 1, options: [], name: "زرقشتونك" });
  });
});

describe("scriptOf()", () => {
  test("tells the two scripts apart, and numbers from both", () => {
    expect([scriptOf("سفينه"), scriptOf("ship"), scriptOf("2024")]).toEqual(["arabic", "latin", undefined]);
  });
});
