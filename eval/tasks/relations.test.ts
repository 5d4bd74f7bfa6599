import { expect, test } from "bun:test";
import type { RelationSentence } from "@isnad/lib/contract";
import { createLexicon } from "../../lib/arabic/morphology/lexicon.ts";
import { createMorphModel } from "../../lib/arabic/morphology/model.ts";
import { createRules } from "../../lib/arabic/morphology/rules.ts";
import type { ReModel } from "../../lib/arabic/relations/model.ts";
import { evalRelations } from "./relations.ts";

const lexicon = createLexicon("", "");
const rules = createRules('{"conditions":[],"classes":{},"orders":[],"signatures":[]}');
const morphology = {
  lexicon,
  model: createMorphModel(lexicon, rules, {
    weights: new Float32Array(2),
    upos: { noun: ["NOUN"], noun_prop: ["NOUN"] },
  }),
};
const tagger = { nested: async (texts: readonly string[]) => texts.map(() => ({ tokens: [], entities: [] })) };

type Told = ReturnType<ReturnType<ReModel["reader"]>>;
type Found = NonNullable<Told>["arguments"][number];

const argument = (role: Found["role"], from: number, to = from + 1): Found => ({ role, from, to, confidence: 1 });
/** Finds an event at the second word of every sentence, with these arguments. */
const finding = (type: NonNullable<Told>["type"], ...all: Found[]): ReModel => ({
  reader: () => (place) => (place === 1 ? { place, type, confidence: 1, arguments: all } : undefined),
});
const evaluated = (sentences: RelationSentence[], model: ReModel) =>
  evalRelations(sentences, { morphology, tagger, model });

const TEXT = "أمس زار الوزير بغداد";
const [visited, minister, baghdad] = [
  { start: 4, end: 7 },
  { start: 8, end: 14 },
  { start: 15, end: 20 },
];
type Event = RelationSentence["events"][number];
const sentence = (...events: Event[]): RelationSentence => ({ id: "x-0001", text: TEXT, events });
const visit: Event = {
  ...{ trigger: visited, type: "attack" },
  arguments: [
    { role: "agent", ...minister },
    { role: "place", ...baghdad },
  ],
};

test("the relations of an event that is found as it was annotated are right, each by itself", async () => {
  const all = await evaluated([sentence(visit)], finding("attack", argument("agent", 2), argument("place", 3)));
  expect(all).toMatchObject({ size: 1, f1: 1, precision: 1, recall: 1, events: 1 });
  const one = await evaluated([sentence(visit)], finding("attack", argument("agent", 2)));
  expect(one).toMatchObject({ precision: 1, recall: 1 / 2, f1: 2 / 3, events: 1 });
});

test.each([
  ["another role", finding("attack", argument("target", 2)), 1],
  ["a longer argument", finding("attack", argument("agent", 2, 4)), 1],
  ["another type of event", finding("aid", argument("agent", 2)), 0],
])("%s is wrong", async (_, model, events) => {
  expect(await evaluated([sentence(visit)], model)).toMatchObject({ f1: 0, precision: 0, recall: 0, events });
});

test("an event without an argument is none of the events that are counted", async () => {
  const bare: Event = { trigger: { start: 0, end: 3 }, type: "aid", arguments: [] };
  const { events } = await evaluated([sentence(visit, bare)], finding("attack", argument("agent", 2)));
  expect(events).toBe(1);
});

test("counts are summed over sentences before they are divided", async () => {
  const none = sentence();
  const { precision, recall, f1, size } = await evaluated(
    [sentence(visit), none, none],
    finding("attack", argument("agent", 2), argument("place", 3)),
  );
  expect([size, precision, recall]).toEqual([3, 2 / 6, 1]);
  expect(f1).toBeCloseTo((2 * 2) / (2 + 6), 12);
});

test("nothing found is no division by zero, and a prediction is a line of JSON with the id", async () => {
  const { precision, recall, f1, predictions } = await evaluated([sentence(visit)], { reader: () => () => undefined });
  expect([precision, recall, f1]).toEqual([0, 0, 0]);
  expect(predictions.map((line) => JSON.parse(line))).toEqual([{ id: "x-0001", relations: [] }]);
});

test("sentences without a relation cannot be measured", async () => {
  await expect(evaluated([sentence()], finding("attack"))).rejects.toThrow("no sentence has a relation");
});
