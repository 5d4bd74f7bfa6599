import { nameKey } from "../../../../text/index.ts";
import { aliasGroup, isCountry } from "../aliases.ts";
import type { Entity } from "../entity.ts";
import { isGroupHead, isInstitution, nationality } from "./arabic-words.ts";

/**
 * Probability of an organisation that the tagger is unsure of, where a noun before it or at its beginning says that it
 * is one: the share that was right of those read in news (27 of 35).
 */
const SHOWN = 0.8;

/** The tagger must have found it with this probability. */
const LEAST = 0.4;

const OPEN = String.raw`["«“”(]?\s?#?`;
const GROUP =
  "نادي|شركة|صحيفة|جريدة|مجلة|قناة|شبكة|وكالة|موقع|بنك|مصرف|حزب|حركة|تحالف|ائتلاف|قائمة|مجموعة|مؤسسة|منظمة|محطة|منصة|تطبيق";

/** A noun of which what follows is the name, and maybe a quotation mark between them. */
const BEFORE_NAME = new RegExp(
  String.raw`(?<!\p{L})(?:[وف]?[بل]?(?:${GROUP}|فريق|تنظيم|جماعة)|شركتي|صحيفتي|ناديي?)\s${OPEN}$`,
  "u",
);

/** The same before what the tagger takes for a place or a product, of which it then is not the name. */
const BEFORE_ORGANISATION = new RegExp(String.raw`(?<!\p{L})[وف]?[بل]?(?:نادي|شركة|صحيفة|مجلة)\s${OPEN}$`, "u");
const BEFORE_MEDIUM = new RegExp(String.raw`(?<!\p{L})[وف]?[بل]?(?:نادي|صحيفة|مجلة|قناة|وكالة)\s${OPEN}$`, "u");

/** Code points of a text that are looked at before a mention and behind it. */
const LOOKED_AT = 16;

/**
 * The mentions of an Arabic text, those of organisations that a noun shows to be names as likely as such are; what is
 * called a club, a company or a newspaper anywhere is one everywhere in the text.
 */
export function introduced(text: string, mentions: readonly Entity[]): Entity[] {
  if (!/\p{Script=Arabic}/u.test(text)) return [...mentions];
  const points = [...text];
  const organisations = new Set<string>();
  for (const { name, type, start } of mentions) {
    const key = nameKey(name);
    if (isCountry(key) || aliasGroup(key, "place") !== undefined) continue;
    const before = points.slice(Math.max(0, start - LOOKED_AT), start).join("");
    const called = type === "PERS" ? BEFORE_MEDIUM : /^(?:GPE|PRODUCT)$/.test(type) ? BEFORE_ORGANISATION : undefined;
    if (called?.test(before) === true) organisations.add(key);
  }
  return mentions.map((mention) => {
    if (organisations.has(nameKey(mention.name)) && /^(?:GPE|PERS|PRODUCT)$/.test(mention.type)) {
      return { ...mention, type: "ORG" };
    }
    if (mention.type !== "ORG" || mention.confidence >= SHOWN || mention.confidence < LEAST) return mention;
    return isShown(mention, points) ? { ...mention, confidence: SHOWN } : mention;
  });
}

function isShown({ name, start }: Entity, points: readonly string[]): boolean {
  const words = name.split(" ");
  const [first = "", ...rest] = words;
  if (isInstitution(first)) {
    const isDefinite = words.some((word) => word.startsWith("ال")) || rest.some((word) => isCountry(nameKey(word)));
    const [second = ""] = rest;
    const isOne = !first.startsWith("ال") && (nationality(second) !== undefined || second.startsWith("لل"));
    return rest.length > 0 && !(isOne && !second.startsWith("ال")) && (isDefinite || isGroupHead(first));
  }
  const before = points.slice(Math.max(0, start - LOOKED_AT), start).join("");
  return BEFORE_NAME.test(before);
}
