import { describe, expect, test } from "bun:test";
import { romanised, sharedDictionary } from "../../text/mod.ts";
import { bestNames, embedAcross, scriptOf, spellingsOf, translatableWords, translate } from "./translate.ts";

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

const { signal } = new AbortController();
const VECTORS: Record<string, number[]> = { سفينة: [1, 0], "ship vessel": [0, 1] };
const asked: (readonly string[])[] = [];
const embed = async (texts: readonly string[]) => {
  asked.push(texts);
  return texts.map((text) => Float32Array.from(VECTORS[text] ?? [0, 0]));
};
const reads = (text: string, translation: string) => async () => ({ text, translation });

describe("embedAcross()", () => {
  test("takes a query as it is read, moves it towards its translation and leaves its length 1", async () => {
    const [x = 0, y = 0] = await embedAcross(embed, reads("سفينة", "ship vessel"))({ text: "سفينه" }, signal);
    expect(asked.splice(0)).toEqual([["سفينة", "ship vessel"]]);
    expect(Math.hypot(x, y)).toBeCloseTo(1, 6);
    expect(Math.min(x, y)).toBeGreaterThan(0.5);
  });

  test("moves a query towards what else it may say, by how likely that is", async () => {
    const others = [{ text: "ship vessel", share: 0.5 }];
    const reading = async () => ({ text: "سفينة", translation: "", others });
    const [x = 0, y = 0] = await embedAcross(embed, reading)({ text: "سفنة" }, signal);
    asked.length = 0;
    expect([x / y, Math.hypot(x, y)].map((value) => Math.round(value * 1e5) / 1e5)).toEqual([2, 1]);
  });

  test("leaves a query without a translation as it is, also where translating fails", async () => {
    expect([...(await embedAcross(embed, reads("سفينة", ""))({ text: "x" }, signal))]).toEqual([1, 0]);
    const failing = embedAcross(embed, () => Promise.reject(new Error("down")));
    expect([...(await failing({ text: "سفينة" }, signal))]).toEqual([1, 0]);
    const forever = embedAcross(embed, () => new Promise(() => {}), { translationMs: 5 });
    expect([...(await forever({ text: "سفينة" }, signal))]).toEqual([1, 0]);
  });

  test("fails where the embedder fails", async () => {
    const failing = embedAcross(() => Promise.reject(new Error("no model")), reads("سفينة", "ship"));
    await expect(failing({ text: "سفينة" }, signal)).rejects.toThrow("no model");
  });
});

const alike = (...forms: string[]) => forms.map((form) => ({ form, sound: romanised(form), holding: 1 }));
const best = (word: string, words: ReturnType<typeof alike>) => bestNames(spellingsOf(word, words));
const forms = (found: readonly { form: string }[]) => found.map(({ form }) => form);

describe("bestNames() of spellingsOf()", () => {
  test("keeps the nearest spellings, with shares that sum to one", () => {
    const found = best("ميركل", alike("merkel", "marikoula", "markel"));
    expect(forms(found)).toContain("merkel");
    expect(forms(found)).not.toContain("marikoula");
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1.000001);
  });

  test("goes from Latin to Arabic script as well", () => {
    expect(forms(best("merkel", alike("ميركل", "مراكل")))[0]).toBe("ميركل");
  });

  test("of equal spellings the one that more documents hold counts more", () => {
    const found = best("ماكرون", [
      { form: "macron", sound: romanised("macron"), holding: 100 },
      { form: "makron", sound: romanised("makron"), holding: 1 },
    ]);
    expect(found.find(({ form }) => form === "macron")?.share ?? 0).toBeGreaterThan(
      found.find(({ form }) => form === "makron")?.share ?? 0,
    );
  });

  test("a word that begins with a vowel is none that begins with a consonant; without candidates there is none", () => {
    expect(best("اوباما", alike("bam"))).toEqual([]);
    expect(best("ميركل", [])).toEqual([]);
  });
});
