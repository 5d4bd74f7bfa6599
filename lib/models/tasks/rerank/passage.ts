import { chunkText } from "../../../text/mod.ts";
import { type ModelCard, modelId } from "../../cards/card.ts";

/** A passage to be judged: a part of an article under its title. */
export type Passage = {
  title: string;
  text: string;
  /** Vectors that a passage reader made of the article's passages beforehand, one after the other. */
  vectors?: Int8Array | undefined;
  /** Of a keyword search for the query, on any scale from 0; none where that did not find the article. */
  keywordScore?: number | undefined;
};

/** The text that is read of a passage. */
export function passageText({ title, text }: Pick<Passage, "title" | "text">): string {
  return title === "" ? text : `${title} ${text}`;
}

/** Passages of an article that are read beforehand, at most. */
const MAX_PASSAGES = 16;

/** Which passages {@link passagesOf} makes of articles: the first digits of a hash that its test takes and compares. */
export const PASSAGES = "e37ccc23";

/**
 * What identifies the vectors that a dual encoder makes of articles beforehand: `name@revision`, the pieces that it
 * reads of a passage, and {@link PASSAGES}. Those that differ in any of them do not compare, or are not of the same
 * passages.
 */
export function vectorsId(card: Pick<ModelCard, "name" | "revision" | "max_tokens">): string {
  return `${modelId(card)}.${card.max_tokens}.${PASSAGES}`;
}

/** The texts that are read of an article beforehand: its first {@link MAX_PASSAGES} chunks, each under its title. */
export function passagesOf({ title, content }: { title: string; content: string }): string[] {
  return chunkText(title, content)
    .slice(0, MAX_PASSAGES)
    .map(({ text }) => text);
}
