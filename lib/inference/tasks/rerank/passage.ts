import { chunkText } from "../../../text/index.ts";

/** A passage to be judged: a part of an article under its title. */
export type Passage = {
  title: string;
  text: string;
  /** Vectors that a passage reader made of the article's passages beforehand, one after the other. */
  vectors?: Int8Array | undefined;
};

/** The text that is read of a passage. */
export function passageText({ title, text }: Pick<Passage, "title" | "text">): string {
  return title === "" ? text : `${title} ${text}`;
}

/** Passages of an article that are read beforehand, at most. */
const MOST_PASSAGES = 16;

/** The texts that are read of an article beforehand: its first {@link MOST_PASSAGES} chunks, each under its title. */
export function passagesOf({ title, content }: { title: string; content: string }): string[] {
  return chunkText(title, content)
    .slice(0, MOST_PASSAGES)
    .map(({ text }) => text);
}
