import { expect, test } from "bun:test";
import { withoutControls, withoutMarks } from "./controls.ts";

test("overrides, embeddings, isolates and control characters go, open or closed", () => {
  expect(withoutControls("\u202eevil\u202c \u2067نص\u2069 \u202aab\u202b\u202d\u2066\u2068")).toBe("evil نص ab");
  expect(withoutControls("a\0\x08\x1b[0m\x7f\x9f b")).toBe("a [0m b");
});

test("white space, joiners and direction marks stay in running text", () => {
  const text = "می\u200cخواهم\u200d\u200f C++\u200e\u061c\t\n\u0085 \u00a0";
  expect(withoutControls(text)).toBe(text);
  expect(withoutMarks("\u200fعنوان C++\u200e\u061c")).toBe("عنوان C++");
});
