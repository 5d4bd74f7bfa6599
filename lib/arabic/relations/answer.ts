import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type ArgumentRole, type EventType, LexiconSubjects, RelationSentence } from "../../contract/lexicon.ts";
import { openRegistry, textOf } from "../../models/cards/mod.ts";
import { at, createSlicer } from "../../std/mod.ts";
import { readEntries } from "../lexicon-files.ts";
import type { MorphToken } from "../morphology/answer.ts";
import { createReModel, type ReModel } from "./model.ts";
import { type ReEntity, type ReWord, reWords } from "./words.ts";

/** A place in a text: code points, end exclusive. */
type Place = { start: number; end: number };

/** Holds what takes part in an event: the word that names it, the role, and who or what has it. */
type Relation = {
  predicate: ArgumentRole;
  subject: string;
  object: string;
  /** The type of the event. */
  event: EventType;
  /** Numbers the events of a text from 1: relations of one event share it. */
  event_id: number;
  /** The sentence that tells of the event. */
  sentence: string;
  subject_type: EventType;
  /** The type of the entity that is the object; null where it is none. */
  object_type: string | null;
  confidence: number;
  offsets: { predicate: null; subject: Place; object: Place };
};

/** A text taken apart: its words, and the entities that it names. */
type AnalysedText = { text: string; tokens: readonly MorphToken[]; entities: readonly ReEntity[] };

/**
 * Returns the relations of an analysed text: the arguments of its events, in the order of the text. Gives the event
 * loop its turn between words; rejects with the signal's reason when that aborts.
 */
export async function relationsOf(
  { text, tokens, entities }: AnalysedText,
  model: ReModel,
  signal?: AbortSignal,
): Promise<Relation[]> {
  const points = [...text];
  const textOf = ({ start, end }: Place): string => points.slice(start, end).join("");
  const bySentence = Map.groupBy(tokens.keys(), (i) => at(tokens, i).sentence);
  const due = createSlicer();
  const relations: Relation[] = [];
  let events = 0;
  for (const places of bySentence.values()) {
    const words = reWords(
      places.map((i) => at(tokens, i)),
      entities,
    );
    const eventAt = model.reader(words);
    const sentence = textOf(placeOf(words, 0, words.length));
    for (const place of words.keys()) {
      await due();
      signal?.throwIfAborted();
      const event = eventAt(place);
      if (event === undefined) continue;
      const subject = placeOf(words, place, place + 1);
      events++;
      for (const { from, to, role, confidence } of event.arguments) {
        const object = placeOf(words, from, to);
        relations.push({
          predicate: role,
          subject: textOf(subject),
          object: textOf(object),
          event: event.type,
          event_id: events,
          sentence,
          subject_type: event.type,
          object_type: typeAt(entities, object),
          confidence: Math.round(event.confidence * confidence * 1e4) / 1e4,
          offsets: { predicate: null, subject, object },
        });
      }
    }
  }
  return relations;
}

/** Returns the type of the entity that a place is, or that covers most of it. */
function typeAt(entities: readonly ReEntity[], { start, end }: Place): string | null {
  const shared = (entity: ReEntity): number => Math.min(end, entity.end) - Math.max(start, entity.start);
  const [best] = entities.filter((entity) => 2 * shared(entity) > end - start).sort((a, b) => shared(b) - shared(a));
  return best?.type ?? null;
}

function placeOf(words: readonly ReWord[], from: number, to: number): Place {
  return { start: at(words, from).start, end: at(words, to - 1).end };
}

/** The model that ships. */
export const RE_MODEL = "relations-ar";

/** Holds what a weight of each table stands for, and the least probability of an argument that is told. */
const ReSettings = z.strictObject({
  scales: z.strictObject({ triggers: z.number(), arguments: z.number() }),
  least: z.number(),
});

/** Opens it, its checksums verified. Rejects when a file is missing or damaged, with an InferenceError. */
export async function openRelations(registry = openRegistry()): Promise<ReModel> {
  const read = (file: string) => registry.read(RE_MODEL, file);
  const files = [read("settings.json"), read("triggers.bin"), read("arguments.bin")] as const;
  const [settings, triggers, ofArguments] = await Promise.all(files);
  const { scales, least } = ReSettings.parse(JSON.parse(textOf(settings)));
  return createReModel({ triggers: signed(triggers), arguments: signed(ofArguments) }, { scales, least });
}

const signed = ({ buffer, byteOffset, length }: Uint8Array): Int8Array => new Int8Array(buffer, byteOffset, length);

/** Returns the annotated sentences of a lexicon folder, by whether training must not read them. */
export function readRelationSentences(lexicon: string): { train: RelationSentence[]; heldOut: RelationSentence[] } {
  const { relations } = LexiconSubjects.parse(JSON.parse(readFileSync(join(lexicon, "subjects.json"), "utf8")));
  const isHeldOut = ({ id }: RelationSentence): boolean => relations[id.replace(/-\d+$/, "")]?.held_out ?? true;
  const sentences = readEntries(join(lexicon, "relations"), RelationSentence);
  return { train: sentences.filter((each) => !isHeldOut(each)), heldOut: sentences.filter(isHeldOut) };
}
