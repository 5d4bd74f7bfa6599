import { type DateOptions, type FoundDate, findDates } from "../../text/dates/mod.ts";
import type { PageFacts } from "../body/facts.ts";

const ANY_LABEL = /publish|posted|written|created|\bdate|\b(?:on|by)\b|نشر|تاريخ|بقلم|كتب/i;
const POSTED = /publish|posted|written|created|نشر/i;
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
}

const MAX_DATED_BLOCK = 300;

/** The dates in the shorter blocks of a page, in its order. */
export function datesInText(facts: PageFacts, options: DateOptions): ShownDate[] {
  const origin = facts.titleAt >= 0 ? facts.titleAt : facts.headingAt;
  const shown: ShownDate[] = [];
  for (const [i, block] of facts.blocks.entries()) {
    if (block.chars > MAX_DATED_BLOCK) continue;
    const dates = findDates(block.text, options);
    const contexts = dates.map((_, k) => contextOf(block.text, dates, k));
    for (const [k, date] of dates.entries()) {
      shown.push({
        date,
        offset: origin < 0 ? Number.POSITIVE_INFINITY : i - origin,
        position: i / facts.blocks.length,
        chars: block.chars,
        linkShare: block.linkChars / block.chars,
        context: contexts[k] ?? "",
        isFirst: !UPDATED.test(contexts[k] ?? "") && UPDATED.test(contexts[k + 1] ?? ""),
      });
    }
  }
  return agreed(shown);
}

/**
 * What stands before a date, up to the one before it, and just behind it, unless another follows: a label is of the
 * next date.
 */
function contextOf(text: string, dates: readonly FoundDate[], k: number): string {
  const [before, date, next] = [dates[k - 1], dates[k], dates[k + 1]];
  if (date === undefined) return "";
  const end = date.index + date.length;
  const start = Math.max(before === undefined ? 0 : before.index + before.length, date.index - 60);
  return text.slice(start, next === undefined ? end + 20 : end);
}

/** A date that may be read two ways is read as another one on the page that may not. */
function agreed(shown: readonly ShownDate[]): ShownDate[] {
  const sure = new Set(shown.filter(({ date }) => date.sure).map(({ date }) => dayOf(date.ms)));
  return shown.map((each) => {
    const { ms, otherwiseMs } = each.date;
    if (otherwiseMs === undefined || sure.has(dayOf(ms)) || !sure.has(dayOf(otherwiseMs))) return each;
    const { otherwiseMs: _, ...date } = { ...each.date, ms: otherwiseMs + (ms % DAY_MS), sure: true };
    return { ...each, date };
  });
}

const DAY_MS = 86_400_000;

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * The dates of the byline: near the title, in a short block, not of an update; `isLabelled` when it calls them those of
 * publication.
 */
export function besideTitle(
  shown: readonly ShownDate[],
): { readonly dates: readonly FoundDate[]; readonly isLabelled: boolean } | null {
  const near = shown.filter(
    ({ date, offset, chars, linkShare }) => offset >= -3 && offset <= 9 && chars < 90 && linkShare < 0.5 && date.sure,
  );
  const posted = near.filter(({ context }) => POSTED.test(context));
  const plain = near.filter(({ context }) => !UPDATED.test(context));
  const chosen = posted.length > 0 ? posted : plain;
  return chosen.length === 0 ? null : { dates: chosen.map(({ date }) => date), isLabelled: posted.length > 0 };
}

/**
 * The date in the text that is likeliest the article's. Weights found by hand on the WCXB pages; a date in running text
 * far from the title does not pass.
 */
export function likeliestOf(shown: readonly ShownDate[]): FoundDate | null {
  let best: FoundDate | null = null;
  let bestScore = 1;
  for (const { date, offset, position, chars, linkShare, context, isFirst } of shown) {
    let score = 0;
    if (offset >= -4 && offset <= 12) score += 3 - Math.abs(offset) * (offset < 0 ? 0.3 : 0.1);
    else if (position < 0.2) score += 1;
    if (chars < 40) score += 1.5;
    else score += chars < 100 ? 0.7 : -1;
    if (ANY_LABEL.test(context) || isFirst) score += 1;
    else if (UPDATED.test(context)) score += 0.5;
    if (linkShare > 0.5) score -= 1.5;
    if (score > bestScore) {
      bestScore = score;
      best = date;
    }
  }
  return best;
}
