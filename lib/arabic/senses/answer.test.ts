import { expect, test } from "bun:test";
import type { SenseEntry } from "../../contract/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
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
const day = sense("يَوْم", "noun", "day");
const today = sense("يَوْم", "noun", "today");
const father = sense("وَالِد", "noun", "father");
const mother = sense("وَالِدَة", "noun", "mother");
const month = sense("شَهْر", "noun", "month");
const correspondence = sense("مُرَاسَلَة", "noun", "correspondence");
const correspondent = sense("مُرَاسِل", "noun", "correspondent");
const piece = sense("مَقْطُوعَة", "noun", "piece");
const still = sense("مَا زَالَ", "mwe", "still");
const therefore = sense("بِالتَّالِي", "mwe", "therefore");
const inventory = createInventory(
  [
    month,
    therefore,
    nations,
    market,
    sword,
    internet,
    thursday,
    today,
    day,
    father,
    mother,
    correspondence,
    correspondent,
    piece,
    still,
  ],
  new Map([
    ["ايام", [day.id]],
    ["اليوم", [today.id, day.id]],
    ["بيوم", [day.id]],
  ]),
);

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

test("a form with senses of its own has no others, be it with article or without, or with what is joined to it", () => {
  expect(read("في أيام صعبة")).toEqual([["أيام", day.id]]);
  expect(read("وصل في الأيام الماضية")).toEqual([["الأيام", day.id]]);
  expect(read("وصل اليوم")).toEqual([["اليوم", today.id]]);
  expect(read("وصل قبل يوم")).toEqual([["يوم", today.id]]);
  expect(read("وصل قبل السفر بيوم")).toEqual([["بيوم", day.id]]);
});

test("a feminine noun that the lexicon has under the masculine one has its own senses where there are any", () => {
  expect(read("قالت والدة الطفل")).toEqual([["والدة", mother.id]]);
  expect(read("قالت ووالدتها")).toEqual([["ووالدتها", mother.id]]);
  expect(read("قال والده")).toEqual([["والده", father.id]]);
});

test("a word that is read as another one without its feminine ending has no sense of that", () => {
  expect(read("يسعى للشهرة")).toEqual([]);
  expect(read("بعد شهر")).toEqual([["شهر", month.id]]);
});

test("an expression of one word is found behind a conjunction", () => {
  expect(read("تأخر القطار وبالتالي تأخر الوزير")).toEqual([["وبالتالي", therefore.id]]);
  expect(read("فبالتالي")).toEqual([["فبالتالي", therefore.id]]);
});

test("a feminine has the senses of its own vowels alone, an adjective none of a noun, a joined particle its expression", () => {
  expect(read("قالت مراسلة الصحيفة")).toEqual([["مراسلة", correspondent.id]]);
  expect(read("وهو يحمل رأس زوجته مقطوعة داخل حقيبة")).toEqual([]);
  expect(read("مازالت مجهولة")).toEqual([["مازالت", still.id]]);
});
