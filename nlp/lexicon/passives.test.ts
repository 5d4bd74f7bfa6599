import { expect, test } from "bun:test";
import { clauses, resolveElse } from "./passives.ts";

test("terms must all hold, alternatives of a term one of them; an underscore asks for nothing", () => {
  expect(clauses("MS||MD #dip")).toEqual([["MS", "MD"], ["#dip"]]);
  expect(clauses("_")).toEqual([]);
});

test("`else` holds where no other alternative's term in its place does, of those with the same terms before it", () => {
  expect(resolveElse(["#aA", "#iy else", "#iy #dip||Mono", "else"])).toEqual([
    [["#aA"]],
    [["#iy"], ["!#dip"], ["!Mono"]],
    [["#iy"], ["#dip", "Mono"]],
    [["!#aA"], ["!#iy"]],
  ]);
  expect(resolveElse(["!enc0", "else"])).toEqual([[["!enc0"]], [["enc0"]]]);
});
