import { expect, test } from "bun:test";
import { encliticsOf, guessedProclitics } from "./clitics.ts";

test.each([
  ["وبال", ["وَ", "بِ", "ال"]],
  ["فلل", ["فَ", "لِ", "ال"]],
  ["ك", ["كَ"]],
  ["ال", ["ال"]],
  ["", []],
])("the letters %p before a word that no lexicon has are the clitics %p", (before, forms) => {
  expect(guessedProclitics(before).map(({ form }) => form)).toEqual(forms);
});

test("the pronoun of the first person is نِي after a verb and ي after a noun", () => {
  expect(encliticsOf({ enc0: "1s_dobj" })).toEqual([{ form: "نِي", type: "dobj" }]);
  expect(encliticsOf({ enc0: "1s_poss" })).toEqual([{ form: "ِي", type: "poss" }]);
});
