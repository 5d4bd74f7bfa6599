import { expect, test } from "bun:test";
import { csvLine } from "./export.ts";

test("texts with separators, quotes and line ends are quoted, numbers and missing values are not", () => {
  expect(csvLine(["a", 'b "c"', "d,e", "f\ng", null, 1.5, -2])).toBe('a,"b ""c""","d,e","f\ng",,1.5,-2\r\n');
});

test("no text begins a formula", () => {
  const formulas = ["=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", '="a"'];
  for (const formula of formulas) {
    expect(csvLine([formula])).toBe(`"'${formula.replaceAll('"', '""')}"\r\n`);
  }
  expect(csvLine(["a=b", "a-b", "1=1", "ميناء - مدينة"])).toBe("a=b,a-b,1=1,ميناء - مدينة\r\n");
});
