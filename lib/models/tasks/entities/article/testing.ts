import type { Entity } from "../aliases.ts";
import { articleEntities } from "./article-entities.ts";

/** Mentions of a text by their names and types, in the order in which they stand. */
export function mentionsIn(
  text: string,
  names: readonly [name: string, type: string, confidence?: number][],
): Entity[] {
  let from = 0;
  return names.map(([name, type, confidence = 0.9]) => {
    const start = text.indexOf(name, from);
    from = start + 1;
    return { type, text: name, name, start, end: start + name.length, confidence };
  });
}

/** The names and types that an article of these mentions shows. */
export const shown = (content: string, names: readonly [string, string, number?][], title = "") =>
  articleEntities({ title, content }, { title: [], content: mentionsIn(content, names) }).map(
    ({ name, type }) => `${name} ${type}`,
  );
