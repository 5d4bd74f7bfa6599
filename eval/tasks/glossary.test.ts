import { expect, test } from "bun:test";
import type { DialectSentence } from "@isnad/lib/contract";
import { evalGlossary } from "./glossary.ts";

const word = (token: string, msa_lemma: string, gloss: string) => ({
  ...{ token, coda: token, segments: [token], msa_lemma, dialect_lemma: token, gloss },
  pos: "ADV" as const,
});
const sentence = (id: string, tokens: DialectSentence["tokens"]): DialectSentence => ({
  ...{ id, region: "syrian", text: tokens.map(({ token }) => token).join(" "), tokens },
});

test("a word is looked up in the other subjects alone, its lemma and its meaning counted apart", () => {
  const all = [
    sentence("home-0001", [word("وين", "أين", "where"), word("هلق", "الآن", "now")]),
    sentence("home-0002", [word("هلق", "الآن", "now")]),
    sentence("street-0001", [word("وين", "أين", "where to")]),
  ];
  expect(evalGlossary(all)).toEqual({
    ...{ size: 4, found: 2 / 4, lemma: 2 / 4, gloss: 0 },
    predictions: [
      "وين\tأين\twhere\tأين\twhere to",
      "هلق\tالآن\tnow\t\t",
      "هلق\tالآن\tnow\t\t",
      "وين\tأين\twhere to\tأين\twhere",
    ],
  });
});

test("one subject alone cannot be measured", () => {
  expect(() => evalGlossary([sentence("home-0001", [word("وين", "أين", "where")])])).toThrow(RangeError);
});
