import { expect, test } from "bun:test";
import { EVENT_TYPES } from "../../contract/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { type ReEntity, reWords } from "./words.ts";
import { createSpanScorer, spanFeatures } from "./span-features.ts";
import { MAX_ARGUMENT_WORDS, REACH, ROLES, spanScores, spansOf } from "./spans.ts";

const morphology = await openMorphology();

const TEXT =
  "أعلنت وزارة الصحة اللبنانية أمس، في بيانٍ لها، مقتل ثلاثة مدنيين وإصابة «خمسة آخرين» بجروح في غارة على بلدة حدودية " +
  "جنوب البلاد (قرب صور)، وقال المتحدث باسمها إن المصابين نُقلوا إلى المستشفى؛ فيما دعا الرئيس إلى اجتماع طارئ.";

/** An entity of the text, by its letters. */
function named(type: string, letters: string): ReEntity {
  const start = [...TEXT.slice(0, TEXT.indexOf(letters))].length;
  return { type, start, end: start + [...letters].length };
}

const words = reWords(morphAnswer(morphology, { text: TEXT, all: false }), [
  named("ORG", "وزارة الصحة اللبنانية"),
  named("NORP", "اللبنانية"),
  named("DATE", "أمس"),
  named("CARDINAL", "ثلاثة"),
  named("GPE", "صور"),
]);

/** Weights of another value in each row and column. */
const table = Int8Array.from({ length: ROLES << 12 }, (_, i) => ((Math.imul(i, 0x9e3779b1) >>> 16) & 255) - 128);

test("scores that share what is alike are those of each span's own features, whichever trigger came before", () => {
  const score = createSpanScorer(words, table, 0.25);
  for (const [place, type] of words.map((_, i) => [i, EVENT_TYPES[(i * 5) % EVENT_TYPES.length] ?? "visit"] as const)) {
    const trigger = { place, type };
    const spans = spansOf(words, place);
    const features = spans.map((span) => spanFeatures(words, trigger, span));
    expect(score(trigger, spans)).toEqual(spanScores(spans, features, table, 0.25));
  }
});

test("spans are within reach, no longer than the longest, and hold neither the trigger nor a comma", () => {
  const long = [...words, ...words];
  for (const place of long.keys()) {
    for (const { from, to } of spansOf(long, place)) {
      expect(to - from).toBeWithin(1, MAX_ARGUMENT_WORDS + 1);
      expect(Math.min(from, place)).toBeGreaterThanOrEqual(place - REACH);
      expect(to).toBeLessThanOrEqual(place + REACH + 1);
      expect(from > place || to <= place).toBe(true);
      const forms = long.slice(from, to).map(({ form }) => form);
      expect(forms.filter((form) => form === "،" || form === "؛")).toEqual([]);
    }
  }
});

test("a span with a quotation or bracket in it has both of its signs, or neither", () => {
  for (const [open, close] of ["«»", "()"]) {
    for (const { from, to } of spansOf(words, 0)) {
      const tokens = words.slice(from, to).map(({ token }) => token);
      expect(tokens.filter((token) => token === open)).toHaveLength(tokens.filter((token) => token === close).length);
    }
  }
});
