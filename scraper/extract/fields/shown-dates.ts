import { type DateOptions, type FoundDate, findDates } from "@isnad/lib/dates";
import type { PageFacts } from "../body/facts.ts";

const ANY_LABEL = /publish|posted|written|created|date|\bon\b|نشر|تاريخ/i;
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
}

const MAX_DATED_BLOCK = 300;

/** The dates in the shorter blocks of a page, in its order. */
export function datesInText(facts: PageFacts, options: DateOptions): ShownDate[] {
  const origin = facts.titleAt >= 0 ? facts.titleAt : facts.headingAt;
  const shown: ShownDate[] = [];
  for (const [i, block] of facts.blocks.entries()) {
    if (block.chars > MAX_DATED_BLOCK) continue;
    for (const date of findDates(block.text, options)) {
      shown.push({
        date,
        offset: origin < 0 ? Number.POSITIVE_INFINITY : i - origin,
        position: i / facts.blocks.length,
        chars: block.chars,
        linkShare: block.linkChars / block.chars,
        context: block.text.slice(Math.max(0, date.index - 60), date.index + date.length + 20),
      });
    }
  }
  return shown;
}

/** The dates of the byline: near the title, in a short block, not of an update; null when there is none. */
export function besideTitle(shown: readonly ShownDate[]): FoundDate[] | null {
  const near = shown.filter(
    ({ date, offset, chars, linkShare }) => offset >= -3 && offset <= 9 && chars < 90 && linkShare < 0.5 && date.sure,
  );
  const posted = near.filter(({ context }) => POSTED.test(context));
  const plain = near.filter(({ context }) => !UPDATED.test(context));
  const chosen = posted.length > 0 ? posted : plain;
  return chosen.length === 0 ? null : chosen.map(({ date }) => date);
}

/** The date in the text that is likeliest the article's. Weights found by hand on the WCXB pages; a date in running text far from the title does not pass. */
export function likeliestOf(shown: readonly ShownDate[]): FoundDate | null {
  let best: FoundDate | null = null;
  let bestScore = 1;
  for (const { date, offset, position, chars, linkShare, context } of shown) {
    let score = 0;
    if (offset >= -4 && offset <= 12) score += 3 - Math.abs(offset) * 0.1;
    else if (position < 0.2) score += 1;
    if (chars < 40) score += 1.5;
    else score += chars < 100 ? 0.7 : -1;
    if (ANY_LABEL.test(context)) score += 1;
    if (UPDATED.test(context)) score -= 0.3;
    if (linkShare > 0.5) score -= 1.5;
    if (score > bestScore) {
      bestScore = score;
      best = date;
    }
  }
  return best;
}
