import { nameKey } from "../../../text/names.ts";
import type { ArticleEntity, Entity } from "./entity.ts";

/**
 * The entities of an article from its mentions, the most mentioned first. Mentions with one key are one entity, of the
 * type that most confidence speaks for; a single word that is the first or last word of just one longer name of a
 * person is that person.
 */
export function mergeEntities(mentions: readonly Entity[]): ArticleEntity[] {
  const groups = new Map<string, Entity[]>();
  for (const mention of mentions) {
    const key = nameKey(mention.name);
    if (key === "") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mention]);
    else group.push(mention);
  }
  for (const [key, group] of [...groups]) {
    const whole = key.includes(" ") || !isPerson(group) ? undefined : wholeName(key, groups);
    if (whole === undefined) continue;
    groups.get(whole)?.push(...group);
    groups.delete(key);
  }
  return [...groups]
    .map(([key, group]) => merged(key, group))
    .sort((a, b) => b.mentions - a.mentions || (a.spans[0] ?? 0) - (b.spans[0] ?? 0));
}

function wholeName(word: string, groups: ReadonlyMap<string, Entity[]>): string | undefined {
  const found = [...groups].filter(
    ([key, group]) => (key.startsWith(`${word} `) || key.endsWith(` ${word}`)) && isPerson(group),
  );
  return found.length === 1 ? found[0]?.[0] : undefined;
}

const isPerson = (group: readonly Entity[]): boolean => /^PERS?$/.test(typeOf(group));

function typeOf(group: readonly Entity[]): string {
  const sums = new Map<string, number>();
  for (const { type, confidence } of group) sums.set(type, (sums.get(type) ?? 0) + confidence);
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best), ["", -1])[0];
}

function merged(key: string, group: readonly Entity[]): ArticleEntity {
  const inOrder = [...group].sort((a, b) => a.start - b.start);
  const named = inOrder.find(({ name }) => nameKey(name) === key);
  return {
    type: typeOf(group),
    name: named?.name ?? key,
    key,
    mentions: group.length,
    confidence: Math.max(...group.map(({ confidence }) => confidence)),
    spans: inOrder.flatMap(({ start, end }) => [start, end]),
  };
}
