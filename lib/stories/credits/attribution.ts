import { isAttributedInArabic } from "./arabic.ts";
import { forms } from "./cues.ts";
import { isAttributedInEnglish } from "./english.ts";
import { type Mention, type TextWord, withoutClitics } from "./outlets.ts";

const NOT_SOURCE_EN = forms(
  "photo photos picture pictures image images photograph photographer photographs getty courtesy",
);

const WEAK_ACRONYM = 4;

/** Characters of what stands in brackets with an outlet, before it and behind it. */
const MAX_MARK = 32;

/** Returns whether a mention of an outlet says that what is told is from there; its sentence begins at `first`. */
export function isAttributed(text: string, words: readonly TextWord[], mention: Mention, first: number): boolean {
  if (isPicture(text, words, mention)) return false;
  if (mention.isListed ? isMark(text, mention) : isDateline(text, mention))
    return (
      !mention.isWeak ||
      mention.end - mention.start <= WEAK_ACRONYM ||
      isDateline(text, mention) ||
      isAllAtEnd(text, mention) ||
      SOURCE_LABEL.test(clauseBefore(text, mention.start))
    );
  return /^[A-Za-z\d]/.test(text.slice(mention.start)) && !isArabicAround(words, mention)
    ? isAttributedInEnglish(text, words, mention, first)
    : isAttributedInArabic(text, words, mention, first);
}

function isArabicAround(words: readonly TextWord[], { from, to }: Mention): boolean {
  const near = words[from - 1] ?? words[to];
  return near !== undefined && /^\p{Script=Arabic}/u.test(near.form);
}

/** Returns the character before a place, without spaces and quotes; the empty text where none is near. */
function lastVisible(text: string, place: number): string {
  for (let at = place - 1; at >= Math.max(0, place - 8); at--)
    if (!/[\s"'\u201c\u201d\u00ab\u00bb]/.test(text.charAt(at))) return text.charAt(at);
  return "";
}

/** Returns whether a mention stands as a mark: in brackets or between dashes where a text begins or a sentence ends. */
function isMark(text: string, { start, end }: Mention): boolean {
  const before = lastVisible(text, start);
  const after =
    /^[\s"'\u201c\u201d\u00ab\u00bb]*([^\s"'\u201c\u201d\u00ab\u00bb]?)/.exec(text.slice(end, end + 8))?.[1] ?? "";
  const isEarly = start < 90;
  const isLast = /^[\s)\].\-–—"'\u201d\u00bb]*$/.test(text.slice(end, end + 40)) && text.length - end <= 40;
  if (isInList(text, start, end)) return true;
  const opening = text.slice(Math.max(0, start - MAX_MARK), start).search(/[([][^()[\]]*$/);
  const closing = text.slice(end, end + MAX_MARK).search(/[()[\]]/);
  if (opening >= 0 && closing >= 0 && /[)\]]/.test(text.charAt(end + closing))) {
    const from = Math.max(0, start - MAX_MARK) + opening;
    const behind = text.slice(end + closing + 1, end + closing + 6).trimStart();
    const ahead = text.slice(Math.max(0, from - 6), from).trimEnd();
    const inside = text.slice(from + 1, end + closing).split("/");
    const isPicture =
      !(isEarly && /^[-–—]/.test(behind)) && inside.length > 1 && inside.some((part) => PERSON.test(part.trim()));
    if (isPicture || /^(?:مثل|such as|like|e\.g\.)[\s:]/.test(text.slice(from + 1, from + 12))) return false;
    const isAlone = isPartOf(text.slice(from + 1, end + closing), start - from - 1, end - from - 1);
    if (/^[-–—]/.test(behind)) return true;
    return (
      isAlone && (isEarly || behind === "" || /[.!?؟"\u201d\u00bb]$/.test(ahead) || (behind.startsWith(".") && isLast))
    );
  }
  if (isEarly && /[-–—/،,]/.test(before) && /[-–—/:(]/.test(after)) return true;
  if (isEarly && /[-–—]/.test(before) && /[،,+]/.test(after)) return true;
  if (isEarly && start < 3 && /[-–—:]/.test(after)) return true;
  return isLast && /^(?:[.!?؟)\-–—/]|)$/.test(before);
}

/** Returns whether a text ends with nothing in brackets but a mention. */
const isAllAtEnd = (text: string, { start, end }: Mention): boolean =>
  /[([]$/.test(text.slice(0, start).slice(-1)) && /^[)\]]\s*$/.test(text.slice(end, end + 8)) && text.length - end < 8;

/** Two names that are a person's, who took a picture for the agency beside him. */
const PERSON = /^[A-Z][\w-]+ [A-Z][\w-]+(?<! (?:News|Press|Times|Post|Images))$/;

/** Characters of a line that does not tell anything but where a text is from. */
const MAX_LINE = 80;

/** Labels the outlets behind it as the source of a text. */
const SOURCE_LABEL = /(?:sources?|المصدر|المصادر) ?:/iu;

/** Returns what stands before a place in its line and sentence. */
function clauseBefore(text: string, place: number): string {
  const before = text.slice(Math.max(0, place - MAX_LINE), place);
  return before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf(".")) + 1);
}

/** Words beside outlets where a text says where it is from. */
const LABEL =
  /^(?:(?:by|from|source|sources|with|المصدر|المصادر|مصدر|عن|ترجمة|وكالات|agencies|news agencies|متابعات)(?=[\s:،,+]|$)|[\s:])+/iu;

/** Returns whether a mention is all of one part of a list: of `AFP, Reuters` and of `المصدر: الجزيرة + وكالات`. */
function isPartOf(list: string, start: number, end: number): boolean {
  const isSeparator = /[،,/+&;|–—-]| and | و(?=\S)/gu;
  const cuts = [...list.matchAll(isSeparator)].filter(({ index }) => index < start || index >= end);
  const before = cuts.findLast(({ index }) => index < start);
  const behind = cuts.find(({ index }) => index >= end);
  const from = before === undefined ? 0 : before.index + before[0].length;
  const rest = list.slice(from, start).replace(LABEL, "") + list.slice(end, behind?.index);
  return /^[\s.*"'()«»]*(?:the\s)?$/iu.test(rest);
}

/** Returns whether a mention stands in the first or last line of a text, and that line only says where it is from. */
function isInList(text: string, start: number, end: number): boolean {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", end);
  const to = newline < 0 ? text.length : newline;
  const isFirst = from === 0 && to < text.length;
  const isLast = from > 0 && text.slice(to).trim() === "";
  if (!(isFirst || isLast) || to - from > MAX_LINE) return false;
  const line = text.slice(from, to);
  return !/[.!?؟]\s/u.test(line) && isPartOf(line, start - from, end - from);
}

/** Returns whether a mention stands alone in brackets behind a place where a text begins: `Kobani, Syria (Name) - `. */
export function isDateline(text: string, { start, end }: Pick<Mention, "start" | "end">): boolean {
  return (
    start < 90 &&
    /[\p{L}.] ?\($/u.test(text.slice(Math.max(0, start - 4), start)) &&
    /^\) {0,2}[-\u2010-\u2015]/u.test(text.slice(end, end + 4))
  );
}

function isPicture(text: string, words: readonly TextWord[], { from, to, start, end }: Mention): boolean {
  const isNear = /^ ?$/.test(text.slice(end, words[to]?.start));
  const isRight = /^[\s:/]{0,2}(?:the )?$/i.test(text.slice(words[from - 1]?.end ?? 0, start));
  const [before, behind] = [isRight ? (words[from - 1]?.form ?? "") : "", isNear ? (words[to]?.form ?? "") : ""];
  if (/[[(](?:Image|Photo|Picture)[^)\]]{0,40}$/.test(text.slice(Math.max(0, start - 50), start))) return true;
  if (/\b(?:image|photo|picture|photos|images) via (?:the )?$/i.test(text.slice(Math.max(0, start - 16), start)))
    return true;
  if (NOT_SOURCE_EN.has(before) || NOT_SOURCE_EN.has(behind)) return true;
  if (/^\/(?:Getty|[A-Z][a-z]+ [A-Z])/.test(text.slice(end, end + 20))) return true;
  return withoutClitics(before).some(({ form }) => form.startsWith("صور") || form === "تصوير" || form === "عدسه");
}
