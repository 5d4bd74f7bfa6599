import { expect, test } from "bun:test";
import { scriptLanguage } from "./script.ts";

test("the script of most letters decides", () => {
  expect(scriptLanguage("قال Obama إن الوضع خطير")).toBe("ar");
  expect(scriptLanguage("The word سلام means peace")).toBe("en");
});

test("a text in a script that no model knows is read as English", () => {
  expect(scriptLanguage("今日は天気がいいです")).toBe("en");
});

test("a text without letters has no language", () => {
  for (const text of ["", "42 %", "😀", "\u200f\u202b"]) expect(scriptLanguage(text)).toBeUndefined();
});

test("as many letters of both scripts are read as Arabic", () => {
  for (const text of ["aا", "اa", "ab اب", "12 a ا 12"]) expect(scriptLanguage(text)).toBe("ar");
  expect(scriptLanguage("abا")).toBe("en");
});

test("letters beyond 0x10000 and halves of them count once, whenever they are met", () => {
  for (let time = 0; time < 2; time++) {
    expect(scriptLanguage("𐌰ا")).toBe("ar");
    expect(scriptLanguage("𐌰𐌱ا")).toBe("en");
    expect(scriptLanguage("𞺀𞺁a")).toBe("ar");
    expect(scriptLanguage("\ud800\udc00\ud800")).toBe("en");
    expect(scriptLanguage("\ud800 \udfff")).toBeUndefined();
  }
});
