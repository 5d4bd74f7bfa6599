import { copied, memoize, trimEnd } from "../std/mod.ts";
import { normalForm } from "./normal-form.ts";

const BEFORE = /^[^\p{L}\p{N}@#(]+/u;
const AFTER = /[^\p{L}\p{N})!.]/u;
const POSSESSIVE = /['\u2019]s$/i;
const HONORIFIC =
  /^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Lord|Lady|Sen|Gov|Gen|Rep|Rev|President|Professor)\.?|السيد|السيدة|الدكتور|الدكتورة|الأستاذ|الشيخ|الحاج|المهندس|د\.|أ\.)\s+(?=\S)/iu;
const MARKS =
  /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * How a name is shown: one space between words, those of a hashtag too, without diacritics, quotes around it,
 * honorific, possessive.
 */
export function displayName(text: string, type: string): string {
  const words = text.startsWith("@")
    ? text
    : text.replace(/(\p{L}\p{M}*)_+(?=\p{L})/gu, "$1 ").replace(/#(?=\p{L})/gu, "");
  const plain = trimEnd(words.replace(MARKS, "").replace(/\s+/g, " ").replace(BEFORE, ""), AFTER)
    .replace(POSSESSIVE, "")
    .trim();
  const bare = type === "PER" ? plain.replace(HONORIFIC, "") : plain;
  return bare.replaceAll("\u0000", "");
}

/** Names whose keys are kept: those of a text are asked for again and again. */
const KEPT = 20_000;

/**
 * The form by which a name is found again: letters folded, each word's stops and possessive dropped, without the Arabic
 * article of its first word. Empty where a name has no letters and digits.
 */
export const nameKey = memoize((name) => copied(keyOf(name)), { capacity: KEPT });

function keyOf(name: string): string {
  const folded = name
    .split(/\s+/)
    .map((word) => normalForm(word.replace(/^[@#]/, "")))
    .join(" ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return folded.replace(/^ال(?=\p{L}{3})/u, "");
}
