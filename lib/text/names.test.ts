import { describe, expect, test } from "bun:test";
import { displayName, nameKey, nameSound, romanised, soundDistance, soundingAlike, soundKey } from "./names.ts";
import { normalForm } from "./clean.ts";

test("a name is shown without honorific, possessive, quotes, diacritics and line breaks", () => {
  expect(displayName("Mr. John\n Smith's", "PER")).toBe("John Smith");
  expect(displayName("السيد مُحَمَّد علي", "PER")).toBe("محمد علي");
  expect(displayName("«الأهرام»", "ORG")).toBe("الأهرام");
  expect(displayName("President Hotel", "ORG")).toBe("President Hotel");
});

test("spellings of one name have one key", () => {
  expect(nameKey("السعودية")).toBe(nameKey("سعوديه"));
  expect(nameKey("أحمد")).toBe(nameKey("احمد"));
  expect(nameKey("U.S.")).toBe(nameKey("US"));
  expect(nameKey("#Beirut")).toBe(nameKey("BEIRUT"));
  expect(nameKey("Al-Jazeera")).toBe(nameKey("al jazeera"));
});

test("different names have different keys, and no letters no key", () => {
  expect(nameKey("York")).not.toBe(nameKey("New York"));
  expect(nameKey("الم")).toBe("الم");
  expect(nameKey("…")).toBe("");
});

test("a name from a hashtag is shown as words", () => {
  expect(displayName("عاصي_الحلاني", "PERS")).toBe("عاصي الحلاني");
  expect(displayName("حركة #طالبان", "ORG")).toBe("حركة طالبان");
  expect(displayName("@some_handle", "PER")).toBe("@some_handle");
});

const same = (a: string, b: string) =>
  nameSound(nameKey(a)) === nameSound(nameKey(b)) && soundingAlike(nameKey(a), [nameKey(b)]) !== undefined;

test("a name is found in the other script, whatever its words and articles", () => {
  for (const [arabic, latin] of [
    ["ميركل", "Merkel"],
    ["أنجيلا ميركل", "Angela Merkel"],
    ["فلاديمير بوتين", "Vladimir Putin"],
    ["بشار الأسد", "Bashar al-Assad"],
    ["محمد صلاح", "Mohamed Salah"],
    ["ليفربول", "Liverpool"],
  ] as const) {
    expect(same(arabic, latin)).toBe(true);
    expect(same(latin, arabic)).toBe(true);
  }
});

test("another name is not, nor one in the same script", () => {
  expect(same("محمد حسن", "Mohammed Hussein")).toBe(false);
  expect(same("أحمد علي حسن", "Mohamed Ali Hassan")).toBe(false);
  expect(same("Angela Merkel", "Angela Markel")).toBe(false);
});

test("the nearest of several is taken; a name of few consonants or with digits has no sound", () => {
  expect(soundingAlike(nameKey("ميلان كوندرا"), ["moulin candera", "milan kundera"])).toBe("milan kundera");
  expect(nameSound(nameKey("Lee"))).toBeUndefined();
  expect(nameSound(nameKey("Falcon 9"))).toBeUndefined();
});

const key = (word: string) => soundKey(normalForm(word));
const distance = (a: string, b: string) => soundDistance(romanised(normalForm(a)), romanised(normalForm(b)));

describe("soundKey()", () => {
  test("is the same for a name in both scripts", () => {
    for (const [arabic, latin] of [
      ["ميركل", "Merkel"],
      ["ماكرون", "Macron"],
      ["شكسبير", "Shakespeare"],
      ["كاستيلو", "Castillo"],
      ["البرازيل", "Brazil"],
      ["كلينتون", "Clinton"],
      ["تشارلز", "Charles"],
      ["زيورخ", "Zürich"],
      ["فولتير", "Voltaire"],
    ] as const) {
      expect(key(arabic)).toBe(key(latin));
    }
  });

  test("differs between names of other consonants", () => {
    expect(key("ميركل")).not.toBe(key("Macron"));
    expect(key("بوتين")).not.toBe(key("Biden"));
  });

  test("is empty for what too many words would share, and for what is no word", () => {
    for (const word of ["آو", "لي", "you", "2024", ""]) expect(key(word)).toBe("");
  });
});

describe("soundDistance()", () => {
  test("is 0 for the same sounds and small for vowels that Arabic leaves out", () => {
    expect(distance("Merkel", "Merkel")).toBe(0);
    expect(distance("ميركل", "Merkel")).toBeLessThan(0.1);
    expect(distance("كلنتون", "Clinton")).toBeLessThan(0.1);
  });

  test("is larger for another word of the same consonants", () => {
    expect(distance("ميركل", "Miracle")).toBeGreaterThan(distance("ميركل", "Merkel"));
    expect(distance("بوتين", "Button")).toBeGreaterThan(distance("بوتين", "Putin"));
  });

  test("is none beyond the farthest that is asked for", () => {
    const [merkel, macron] = [romanised(normalForm("Merkel")), romanised(normalForm("Macron"))];
    const far = soundDistance(merkel, macron);
    expect(soundDistance(merkel, macron, far)).toBe(far);
    expect(soundDistance(merkel, macron, far / 2)).toBe(Number.POSITIVE_INFINITY);
  });
});
