import { TextRelations } from "@isnad/lib/contract";
import type { ServiceClient } from "@isnad/lib/service/http";
import { codePointSlice, sentences } from "@isnad/lib/text";

/** Code points of a text that the service takes at a time, at most. */
const MAX_TEXT = 20_000;

/** Where articles were read by eye, three in ten of the relations found with less were right; of the others six. */
const LEAST_CONFIDENCE = 0.5;

type Place = { start: number; end: number };

/**
 * The relations in a text of any length that are likely enough to be stored, asked of the linguistic service. Throws
 * AppError: 422 for a text that it refuses, 503 while it cannot answer.
 */
export async function findRelations(
  nlp: Pick<ServiceClient, "post">,
  text: string,
  on: { requestId: string; signal: AbortSignal },
): Promise<TextRelations["relations"]> {
  const all: TextRelations["relations"] = [];
  for (const { start, end } of piecesOf(text)) {
    const { relations } = await nlp.post("/re", { text: codePointSlice(text, start, end) }, TextRelations, on);
    const shift = (place: Place): Place => ({ start: place.start + start, end: place.end + start });
    for (const relation of relations) {
      if (relation.confidence < LEAST_CONFIDENCE) continue;
      const { predicate, subject, object } = relation.offsets;
      const offsets = { predicate: predicate && shift(predicate), subject: shift(subject), object: shift(object) };
      all.push({ ...relation, offsets });
    }
  }
  return all;
}

/** Runs of whole sentences that are short enough; a longer sentence is cut. */
function piecesOf(text: string): Place[] {
  const pieces: Place[] = [];
  for (const { start, end } of sentences(text)) {
    const last = pieces.at(-1);
    if (last !== undefined && end - last.start <= MAX_TEXT) last.end = end;
    else
      for (let from = start; from < end; from += MAX_TEXT)
        pieces.push({ start: from, end: Math.min(end, from + MAX_TEXT) });
  }
  return pieces;
}
