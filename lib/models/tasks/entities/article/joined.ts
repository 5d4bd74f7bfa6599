import { codePointSlicer, nameKey } from "../../../../text/mod.ts";
import { aliasGroup } from "../aliases.ts";
import type { Entity } from "../entity.ts";
import { isInstitution } from "./arabic-words.ts";

/** The mentions, two of organisations as one where ل joins them: الوكالة الفيدرالية لإدارة الطوارئ. */
export function joined(text: string, mentions: readonly Entity[]): Entity[] {
  if (!/\p{Script=Arabic}/u.test(text)) return [...mentions];
  const slice = codePointSlicer(text);
  const second = new Map<Entity, Entity>();
  const organisations = mentions.filter(({ type }) => type === "ORG");
  for (const body of organisations) {
    if (!isInstitution(body.name.split(" ")[0] ?? "") || aliasGroup(nameKey(body.name), "other") !== undefined)
      continue;
    const purpose = organisations.find(
      ({ start, name }) => start === body.end + 2 && aliasGroup(nameKey(name), "other") === undefined,
    );
    if (purpose !== undefined && slice(body.end, purpose.start) === " ل") second.set(body, purpose);
  }
  const purposes = new Set(second.values());
  return mentions.flatMap((mention) => {
    if (purposes.has(mention)) return [];
    const purpose = second.get(mention);
    if (purpose === undefined) return [mention];
    const rest = slice(mention.end, purpose.end);
    const confidence = Math.min(mention.confidence, purpose.confidence);
    return [{ ...mention, text: mention.text + rest, name: mention.name + rest, end: purpose.end, confidence }];
  });
}
