const DECLARATION = /<!ENTITY\s+([\w.:-]{1,40})\s+(?:"([^"&%<]{0,200})"|'([^'&%<]{0,200})')\s*>/g;
const MAX_ENTITIES = 100;
const MAX_EXPANSIONS = 10_000;

/**
 * The entities that a document's type declaration defines as short plain texts, as a function that expands them; null
 * when there are none. Entities made of others, and external ones, are left alone: no text grows without bound.
 */
export function ownEntities(source: string): ((text: string) => string) | null {
  const start = source.search(/<!DOCTYPE/i);
  if (start < 0 || start > 10_000) return null;
  const prolog = source.slice(start, start + 20_000);
  const values = new Map<string, string>();
  for (const [, name, double, single] of prolog.matchAll(DECLARATION)) {
    if (values.size >= MAX_ENTITIES) break;
    if (name !== undefined && !values.has(name)) values.set(name, double ?? single ?? "");
  }
  if (values.size === 0) return null;
  let left = MAX_EXPANSIONS;
  return (text) =>
    text.replace(/&([\w.:-]{1,40});/g, (entity, name: string) => (left-- > 0 ? (values.get(name) ?? entity) : entity));
}
