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
