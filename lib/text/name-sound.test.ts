import { expect, test } from "bun:test";
import { nameSound, soundingAlike } from "./name-sound.ts";
import { nameKey } from "./names.ts";

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
