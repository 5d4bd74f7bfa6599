import { nameKey } from "../../../../text/mod.ts";
import { aliasGroup } from "../aliases.ts";
import type { Entity } from "../entity.ts";
import { isCommonEvent } from "./arabic-words.ts";

/** Adjectives and what it is for, of which no event's name is made alone. */
const COMMON = /^(?:لل\p{L}{3,}|(?!ال)\p{L}{3,}ة|سلام|شامل|نووي|تجاري|ثنائي|ودي)$/u;
const COMMON_WITH_ARTICLE =
  /^و?ال(?:أهلي|تشريعي|برلماني|رئاسي|محلي|بلدي|نيابي|عام|داخلي|مبكر|تمهيدي|ثنائي|مقبل|أخير|حالي)ة?$/;

/**
 * The mentions without events of many, which have neither article, name nor number (حرب باردة, معرض للفنون), or only an
 * adjective that says of what sort they are (الانتخابات البرلمانية).
 */
export function withoutCommonEvents(mentions: readonly Entity[]): Entity[] {
  return mentions.filter((mention) => mention.type !== "EVENT" || !isOfMany(mention, mentions));
}

function isOfMany({ name, start, end }: Entity, mentions: readonly Entity[]): boolean {
  const [first = "", second = "", ...rest] = name.split(" ");
  if (!isCommonEvent(first)) return false;
  if (first.startsWith("ال")) return second !== "" && [second, ...rest].every((word) => COMMON_WITH_ARTICLE.test(word));
  if (!COMMON.test(second)) return false;
  if (!second.startsWith("لل") && rest.length > 0) return false;
  const hasName = mentions.some(
    (other) => other.start > start && other.end <= end && /^(?:GPE|LOC|FAC|PERS|ORG|DATE)$/.test(other.type),
  );
  return !hasName && aliasGroup(nameKey(second), "place") === undefined;
}
