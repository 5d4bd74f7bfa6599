import { normalForm } from "../../text/mod.ts";
import { type TextWord, withoutClitics } from "./outlets.ts";

/** Returns the folded forms of words. */
export const forms = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(normalForm));

/** Nouns that say what an outlet is. */
export const KINDS = {
  paper: forms("صحيفة جريدة مجلة وكالة الصحيفة صحيفتي صحيفتا"),
  any: forms(
    "صحيفة جريدة مجلة وكالة وكالتي وكالتا موقع قناة شبكة شبكتي قناتي محطتي موقعي مجلتي تلفزيون تلفزة إذاعة راديو محطة صحيفتي صحيفتا الأنباء أنباء وكالات بوابة يومية",
  ),
  english: forms(
    "newspaper paper daily magazine agency network website broadcaster tabloid channel station newspapers television tv radio site blog portal outlet weekly publication affiliate",
  ),
};
/** Returns whether a word is in a set, with or without what is joined to it. */
export const isIn = (words: readonly TextWord[], at: number, set: ReadonlySet<string>): boolean =>
  withoutClitics(words[at]?.form ?? "").some(
    ({ form }) => set.has(form) || set.has(form.replace(/(?<=ت)(?:ه|ها)$/, "")),
  );

/** Returns whether one of these words, counted down, is in a set. */
export function anyIn(words: readonly TextWord[], from: number, to: number, set: ReadonlySet<string>): boolean {
  for (let at = from; at >= to; at--) if (isIn(words, at, set)) return true;
  return false;
}
