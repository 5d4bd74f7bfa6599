import { type DateOptions, type FoundDate, findDates, findTimeAgo, wordsBesideDates } from "../../text/dates/mod.ts";
import type { PageFacts } from "../body/facts.ts";
import { hasLead } from "./names.ts";
import type { DatePlace, DatePlaces } from "./date-places.ts";

const ANY_LABEL = /publish|posted|written|created|\bdate|\b(?:on|by)\b|نشر|تاريخ|بقلم|كتب/i;
const POSTED = /publish|posted|post(?:ing)? (?:date|time|on)|written|created|نشر/i;
const UPDATED = /updat|modif|last|review|edited|تحديث|عدل/i;

/** A date that a page shows, and where. */
export interface ShownDate {
  readonly date: FoundDate;
  /** Blocks after the title, negative before it. */
  readonly offset: number;
  /** 0 at the page's start, 1 at its end. */
  readonly position: number;
  readonly chars: number;
  readonly linkShare: number;
  /** The words before the date and just after it. */
  readonly context: string;
  /** True for a date that stands before that of an update in the same block. */
  readonly isFirst: boolean;
  /** Read when asked for: most dates of a page are out of the question by less. */
  readonly place: DatePlace;
  /** True where the block says more than when and by whom: a date in a sentence is of what the sentence tells. */
  readonly isTold: boolean;
  /** True behind the second paragraph of running text below the title. */
  readonly isBelow: boolean;
  /** True in a line that says nothing else, below all running text. */
  readonly isLast: boolean;
}

const MAX_DATED_BLOCK = 300;
/** Lines of a block that holds a whole article that may say when and by whom, and how long they are. */
const HEAD_LINES = 4;
const MAX_HEAD_LINE = 120;
/** Blocks below the title that are of the article's head, whatever is in them. */
const HEAD = 4;

/** Returns the dates in the shorter blocks of a page, in its order. */
export function datesInText(facts: PageFacts, places: DatePlaces, options: DateOptions): ShownDate[] {
  const origin = facts.titleAt >= 0 ? facts.titleAt : facts.headingAt;
  const shown: ShownDate[] = [];
  const isProse = (words: number, i: number) => i > origin && words > 0;
  const lead = facts.prose.findIndex(isProse);
  const last = facts.prose.findLastIndex((words) => words > 0);
  const second = facts.prose.findIndex((words, i) => i > lead && isProse(words, i));
  const heads = facts.blocks.map(headOf);
  const found = heads.map((text) => (text === "" ? [] : findDates(text, options)));
  const agree = agreement(found.flat());
  for (const [i, block] of facts.blocks.entries()) {
    const dates = found[i] ?? [];
    if (dates.length === 0) continue;
    const head = heads[i] ?? "";
    const contexts = dates.map((_, k) => contextOf(head, dates, k));
    const isByline = origin >= 0 && i - origin <= BYLINE_REACH && isOfByline(facts, i);
    for (const [k, date] of dates.entries()) {
      let place: DatePlace | undefined;
      let told: boolean | undefined;
      shown.push({
        date: agree(date),
        offset: origin < 0 ? Number.POSITIVE_INFINITY : i - origin,
        position: i / facts.blocks.length,
        chars: head.length,
        linkShare: block.linkChars / block.chars,
        context: contexts[k] ?? "",
        get place() {
          place ??= places.inBlock(i, date.ms);
          return place === "open" && isByline ? "own" : place;
        },
        get isTold() {
          told ??= isTold(head, date);
          return told;
        },
        isBelow: second >= 0 && i > second && i - origin > HEAD,
        isLast: i > last && wordsBesideDates(block.text).length === 0,
        isFirst: !UPDATED.test(contexts[k] ?? "") && UPDATED.test(contexts[k + 1] ?? ""),
      });
    }
  }
  return shown;
}

/** Returns a short block, or the short lines that a long one begins with; empty for a paragraph. */
function headOf({ chars, text }: PageFacts["blocks"][number]): string {
  if (chars <= MAX_DATED_BLOCK) return text;
  const lines = text.split("\n", HEAD_LINES);
  const long = lines.findIndex((line) => line.length > MAX_HEAD_LINE);
  return lines.slice(0, long < 0 ? HEAD_LINES : long).join("\n");
}

/**
 * Returns the time that the article's own head tells from now: a line with no more than a name or a label beside it,
 * just below the title or above it, behind one paragraph of running text at most.
 */
export function timeAgoBesideTitle(facts: PageFacts, places: DatePlaces, now: number): FoundDate | null {
  const origin = facts.titleAt >= 0 ? facts.titleAt : facts.headingAt;
  if (origin < 0) return null;
  let passed = 0;
  for (const i of [1, 2, 3, HEAD, -1, -2].map((step) => origin + step)) {
    const block = facts.blocks[i];
    // A lead may stand between the title and the line, no more.
    if (block === undefined || (i > origin && passed > 1) || block.linkChars > block.chars / 2) continue;
    for (const line of headOf(block).split("\n")) {
      const date = findTimeAgo(line, now);
      if (date === null || UPDATED.test(line) || wordsBesideDates(line).length > MAX_TOLD_NAMES) continue;
      if (["own", "open"].includes(places.inBlock(i, date.ms)) && !/[.!?؟]$/.test(line)) return date;
    }
    if (i > origin && (facts.prose[i] ?? 0) > 0) passed++;
  }
  return null;
}

/**
 * Returns what stands before a date, up to the one before it, and just behind it, unless another follows: a label is of
 * the next date.
 */
function contextOf(text: string, dates: readonly FoundDate[], k: number): string {
  const [before, date, next] = [dates[k - 1], dates[k], dates[k + 1]];
  if (date === undefined) return "";
  const end = date.index + date.length;
  const start = Math.max(before === undefined ? 0 : before.index + before.length, date.index - 60);
  return text.slice(start, next === undefined ? end + 20 : end);
}

/**
 * Returns what reads a date of two readings as the one that a sure date of these has; without one, it stays as it was
 * read.
 */
export function agreement(dates: readonly FoundDate[]): (date: FoundDate) => FoundDate {
  const days = new Set(dates.filter(({ sure }) => sure).map(({ ms }) => dayOf(ms)));
  return (date) => {
    const { ms, otherwiseMs, ...rest } = date;
    if (otherwiseMs === undefined || days.has(dayOf(ms)) || !days.has(dayOf(otherwiseMs))) return date;
    return { ...rest, ms: otherwiseMs + (ms % DAY_MS), sure: true };
  };
}

const DAY_MS = 86_400_000;

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Holds what a byline says beside names. */
const BYLINE_WORD =
  /^(?:by|and|in|with|from|min|mins|read|reading|views?|comments?|shares?|likes?|filed|under|category|tags?|section|source|photos?|staff|writer|reporter|editor|correspondent|news|admin|via|for)$/;
const MAX_TOLD_NAMES = 8;
/** Before a date in a sentence: what happened then. */
const PREPOSITION = /(?:^|\s)(?:on|since|until|till|from|dated|في|منذ|حتى|بتاريخ|يوم)[\s:]*$/i;
/** Holds what other dates a page prints are of. */
const OTHER_LABEL =
  /\b(?:photos?|image|picture|getty|archives?|issue|vol(?:ume)?|edition|born|died|death|birth|copyright|accessed|retrieved|expires?|deadline|valid|until|opens?|starts?|begins?|ends?|effective|founded|established|since|joined|event|registered|member|reply|replied|said|wrote|tweeted|shared)\b|©|أرشيف|ارشيف|الصورة|صورة|العدد|(?:^|\s)عدد(?:\s|$)|مواليد|(?:^|\s)و?ولدت?(?:\s|$)|الميلاد|الوفاة|توفيت?|تصوير|الحقوق|تأسست?|انتهاء|ينتهي|الموعد|موعد|بدأت?|انضم|صلاحية|رد(?:ت)? على/iu;
const ISSUE = /(?:\b(?:issue|no\.|nr\.?|vol(?:ume|\.)?|edition)|(?:ال)?عدد(?: رقم)?)\W{0,4}\d{1,6}\W{0,6}$/iu;
/** The account of a post, before its date. */
const POST = /@\w+\)?\s*(?:[·•|,—–-]\s*)?$/u;

/** Returns true for a line that tells something in which dates occur, rather than when it was published itself. */
function isTold(text: string, date: FoundDate): boolean {
  const before = text.slice(0, date.index);
  if (POST.test(before)) return true;
  const line = lineAround(text, date).trim();
  if ((OTHER_LABEL.test(line) || ISSUE.test(before)) && !POSTED.test(line)) return true;
  const words = wordsBesideDates(line).filter((word) => !BYLINE_WORD.test(word));
  if (words.length > MAX_TOLD_NAMES) return true;
  const isSentence = /[\p{L}\d][.!?؟…]["'»”’)]*$/u.test(line) && !/\b\p{L}\.$/u.test(line);
  if (isSentence && words.length >= 2) return true;
  const small = words.filter((word) => /^[a-z]/.test(word) && line.includes(word));
  if (small.length >= 3) return true;
  return (
    PREPOSITION.test(before) &&
    words.length >= 2 &&
    !POSTED.test(line) &&
    (small.length > 0 || /\p{sc=Arabic}/u.test(line))
  );
}

const READING_TIME =
  /^\W{0,3}\d{1,2}\s?(?:min(?:ute)?s?\b|دقائق|دقيقة)|min read|^(?:reading time|مدة القراءة|وقت القراءة)/i;
/** Blocks below the title that a byline may reach. */
const BYLINE_REACH = 8;

/** Returns true for a line that only says when, beside one that says by whom or how long it takes to read. */
function isOfByline({ blocks, containers }: PageFacts, i: number): boolean {
  const isHeading = /^h[1-6]$/.test(containers[blocks[i]?.container ?? -1]?.tag ?? "");
  if (isHeading || wordsBesideDates(blocks[i]?.text ?? "").length > 0) return false;
  return [i - 2, i - 1, i + 1, i + 2].some((near) => {
    const text = blocks[near]?.text ?? "";
    return text.length < MAX_BYLINE && (READING_TIME.test(text) || hasLead(text));
  });
}

const MAX_BYLINE = 90;

/** Holds what keeps the parts of a byline apart. */
const BAR = /\s[|•·⋅–—-]\s/u;

/** Returns the part of a line of a block that a date stands in. */
function lineAround(text: string, { index, length }: FoundDate): string {
  const start = text.lastIndexOf("\n", index) + 1;
  const end = text.indexOf("\n", index + length);
  const line = text.slice(start, end < 0 ? undefined : end);
  return (
    (line
      .slice(0, index - start)
      .split(BAR)
      .at(-1) ?? "") + (line.slice(index - start).split(BAR, 1)[0] ?? "")
  );
}

/**
 * Returns true for a date that may be the article's: in no other thing's place, in no sentence, not only below the
 * text.
 */
function isOwn(shown: ShownDate): boolean {
  const { isBelow, context, isFirst } = shown;
  if (shown.isTold || shown.place === "other") return false;
  if (POSTED.test(context)) return true;
  if (shown.place === "card") return UPDATED.test(context);
  return shown.place === "own" || isFirst || !isBelow || hasLead(context);
}

/** Returns true for a date that both its label and its place call that of publication. */
function isSigned(shown: ShownDate): boolean {
  return POSTED.test(shown.context) && !shown.isTold && shown.place === "own";
}

/**
 * The dates that the page marks as the article's near the title, not of an update; `isLabelled` when it calls them
 * those of publication.
 */
export function besideTitle(
  shown: readonly ShownDate[],
): { readonly dates: readonly FoundDate[]; readonly isLabelled: boolean } | null {
  const isNear = ({ offset }: ShownDate) => offset >= -3 && offset <= 9;
  const sure = shown.filter(
    (each) =>
      (isNear(each) || POSTED.test(each.context)) &&
      each.chars < 90 &&
      each.linkShare < 0.5 &&
      each.date.sure &&
      isOwn(each),
  );
  const near = sure.filter(isNear);
  const posted = [...near.filter(({ context }) => POSTED.test(context)), ...sure.filter(isSigned)];
  const marked = near.filter((each) => !UPDATED.test(each.context) && each.place === "own");
  const chosen = posted.length > 0 ? posted : marked;
  return chosen.length === 0 ? null : { dates: chosen.map(({ date }) => date), isLabelled: posted.length > 0 };
}

/**
 * Returns the date in the text that is likeliest the article's. Weights found by hand on the WCXB pages; a date in
 * running text does not pass.
 */
export function likeliestOf(shown: readonly ShownDate[]): FoundDate | null {
  let best: FoundDate | null = null;
  let bestScore = 1;
  for (const each of shown) {
    if (!isOwn(each)) continue;
    const { date, offset, position, chars, linkShare, context, isFirst } = each;
    let score = 0;
    if (offset >= -4 && offset <= 12) score += 3 - Math.abs(offset) * (offset < 0 ? 0.3 : 0.1);
    else if (position < 0.2) score += 1;
    if (chars < 40) score += 1.5;
    else score += chars < 100 ? 0.7 : -1;
    if (ANY_LABEL.test(context) || isFirst) score += 1;
    else if (UPDATED.test(context)) score += 0.5;
    if (linkShare > 0.5) score -= 1.5;
    if (isSigned(each)) score += 2;
    if (score > bestScore) {
      bestScore = score;
      best = date;
    }
  }
  return best ?? onlyAtEnd(shown);
}

/** Returns the day that a page shows once, in a line of its own below all of the text. */
function onlyAtEnd(shown: readonly ShownDate[]): FoundDate | null {
  const [first] = shown;
  const isAlone = shown.every(({ date }) => first !== undefined && dayOf(date.ms) === dayOf(first.date.ms));
  return isAlone && first?.isLast === true && first.place === "open" && !first.isTold ? first.date : null;
}
