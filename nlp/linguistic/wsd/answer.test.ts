import { expect, test } from "bun:test";
import type { SenseEntry } from "@isnad/lib/contract";
import { morphAnswer } from "../morph/answer.ts";
import { openMorphology } from "../morph/open.ts";
import { wordsWithSenses } from "./answer.ts";
import { createInventory } from "./inventory.ts";

const morphology = await openMorphology();
const sense = (lemma: string, pos: SenseEntry["pos"], en: string): SenseEntry => ({
  ...{ id: `x-${en}`, lemma, pos, root: "", gloss: "معنى", en: [en], examples: ["مثال"] },
});
const nations = sense("الْأُمَمُ الْمُتَّحِدَةُ", "mwe", "United Nations");
const market = sense("سُوقٌ سَوْدَاءُ", "mwe", "black market");
const sword = sense("سَيْف", "noun", "sword");
const internet = sense("إِنْتِرْنِت", "noun", "internet");
const thursday = sense("خَمِيس", "noun", "Thursday");
const inventory = createInventory([nations, market, sword, internet, thursday]);

/** Which tokens of a text have a sense, and which. */
function read(text: string): [string, string][] {
  const tokens = morphAnswer(morphology, { text, all: false });
  return wordsWithSenses(tokens, inventory).map(({ from, to, senses }) => [
    tokens
      .slice(from, to)
      .map(({ token }) => token)
      .join(" "),
    senses[0]?.id ?? "",
  ]);
}

test("an expression is found with the article, and with a preposition before it", () => {
  expect(read("دعم الوزير للأمم المتحدة")).toEqual([["للأمم المتحدة", nations.id]]);
  expect(read("باعه في السوق السوداء")).toEqual([["السوق السوداء", market.id]]);
});

test("a name has no sense of the word that it was made of, but that which English calls by its name", () => {
  expect(read("قال عبد الخالق سيف إن المعرض مهم")).toEqual([]);
  expect(read("ينشر الدروس على الإنترنت")).toEqual([["الإنترنت", internet.id]]);
  expect(read("قال سهيل المزروعي، الخميس، إن الاجتماع مهم")).toEqual([["الخميس", thursday.id]]);
});
