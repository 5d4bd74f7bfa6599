import { expect, test } from "bun:test";
import { morphAnswer } from "./answer.ts";
import { openMorphology } from "./model.ts";

const morphology = await openMorphology();

test("gender and number are those of the word, not of its ending", () => {
  const text = "أيام دول شمس خليفة مدرسون مدرستان قوات";
  const read = morphAnswer(morphology, { text, all: false });
  expect(read.map(({ token, features: { gender, number } }) => [token, gender, number])).toEqual([
    ["أيام", "masc", "plur"],
    ["دول", "fem", "plur"],
    ["شمس", "fem", "sing"],
    ["خليفة", "masc", "sing"],
    ["مدرسون", "masc", "plur"],
    ["مدرستان", "fem", "dual"],
    ["قوات", "fem", "plur"],
  ]);
});

test("a verb whose last letter is ن is of one person", () => {
  const read = morphAnswer(morphology, { text: "يمكن أن يكون، ولم يكن يتكون. كتبن", all: false });
  const persons = read.flatMap(({ token, pos, features: { gender, number } }) =>
    pos === "VERB" || pos === "AUX" ? [[token, gender, number]] : [],
  );
  expect(persons).toEqual([
    ["يمكن", "masc", "sing"],
    ["يكون", "masc", "sing"],
    ["يكن", "masc", "sing"],
    ["يتكون", "masc", "sing"],
    ["كتبن", "fem", "plur"],
  ]);
});
