import { dirname } from "node:path";
import { fileURLToPath, URL } from "node:url";
import type { RelationSentence } from "@isnad/lib/contract";
import { createTagger, openRegistry, type Tagger } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { morphAnswer } from "../../lib/arabic/morphology/answer.ts";
import type { Lexicon } from "../../lib/arabic/morphology/lexicon.ts";
import { type MorphModel, openMorphology } from "../../lib/arabic/morphology/model.ts";
import { openRelations, readRelationSentences, relationsOf } from "../../lib/arabic/relations/answer.ts";
import type { ReModel } from "../../lib/arabic/relations/model.ts";
import { entriesHash, type EvalTask } from "../task.ts";

/**
 * Micro-averaged over relations: right is one whose trigger, type of event, role and argument are all exactly those of
 * the annotation. `events`: F1 of triggers with their types, of events that have an argument.
 */
type RelationFigures = {
  size: number;
  f1: number;
  precision: number;
  recall: number;
  events: number;
  predictions: string[];
};

type RelationParts = {
  morphology: { lexicon: Lexicon; model: MorphModel };
  tagger: Pick<Tagger, "nested">;
  model: ReModel;
};

/** Measures the extractor on annotated sentences. RangeError when there is no relation in them. */
export async function evalRelations(
  sentences: readonly RelationSentence[],
  { morphology, tagger, model }: RelationParts,
): Promise<RelationFigures> {
  const relations = { gold: 0, found: 0, right: 0 };
  const events = { gold: 0, found: 0, right: 0 };
  const predictions: string[] = [];
  const named = await tagger.nested(sentences.map(({ text }) => text));
  for (const [i, { id, text, events: annotated }] of sentences.entries()) {
    const tokens = morphAnswer(morphology, { text, all: false });
    const predicted = await relationsOf({ text, tokens, entities: at(named, i).entities }, model);
    predictions.push(JSON.stringify({ id, relations: predicted }));
    const goldEvents = annotated.map(({ trigger, type, arguments: list }) => ({
      event: `${trigger.start} ${trigger.end} ${type}`,
      list,
    }));
    count(
      relations,
      goldEvents.flatMap(({ event, list }) => list.map(({ role, start, end }) => `${event} ${role} ${start} ${end}`)),
      predicted.map(({ predicate, event, offsets: { subject, object } }) => {
        return `${subject.start} ${subject.end} ${event} ${predicate} ${object.start} ${object.end}`;
      }),
    );
    count(
      events,
      goldEvents.flatMap(({ event, list }) => (list.length === 0 ? [] : [event])),
      predicted.map(({ event, offsets: { subject } }) => `${subject.start} ${subject.end} ${event}`),
    );
  }
  if (relations.gold === 0) throw new RangeError("no sentence has a relation");
  return {
    size: sentences.length,
    f1: f1(relations),
    precision: relations.found === 0 ? 0 : relations.right / relations.found,
    recall: relations.right / relations.gold,
    events: f1(events),
    predictions,
  };
}

type Counts = { gold: number; found: number; right: number };

function count(counts: Counts, gold: readonly string[], found: readonly string[]): void {
  const [expected, given] = [new Set(gold), new Set(found)];
  counts.gold += expected.size;
  counts.found += given.size;
  counts.right += expected.intersection(given).size;
}

function f1({ gold, found, right }: Counts): number {
  return (2 * right) / (gold + found);
}

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/relations", import.meta.url));

/** Events and their arguments in the sentences of held-out subjects. */
export const relations: EvalTask = {
  name: "relations",
  formats: "a folder of *.jsonl with subjects.json beside it, as nlp/lexicon/relations",
  sets: () => [{ set: "held-out subjects of nlp/lexicon", path: SENTENCES }],
  async load() {
    const tagger = await createTagger({ registry: openRegistry(), timeoutMs: 600_000, nestedOnly: true });
    const parts = { morphology: await openMorphology(), model: await openRelations(), tagger };
    return {
      async measure({ path }) {
        const { heldOut } = readRelationSentences(dirname(path));
        const { f1, precision, recall, events, size, predictions } = await evalRelations(heldOut, parts);
        return { figures: { F1: f1, precision, recall, events }, size, predictions, corpus: entriesHash(heldOut) };
      },
      close: () => tagger.close(),
    };
  },
};
