import { analyse } from "../../text/mod.ts";
import { hashOf } from "./traits.ts";

/** Holds what is traded, in the words of headlines of both languages. */
const GOODS = [
  "ذهب الذهب gold",
  "نفط النفط برنت الخام oil crude brent",
  "ليرة الليرة lira",
  "دولار الدولار dollar",
  "أسهم الأسهم بورصة البورصة stocks shares nikkei ftse",
];

/** Holds how a price moves, in the words of headlines of both languages. */
const MOVES =
  "يرتفع ارتفاع يتراجع ينخفض انخفاض يصعد صعود يهبط هبوط يقفز قفزة تهوي يستقر استقرار مكاسب خسائر النزيف تغلق إغلاق تسجل " +
  "rises falls slips gains drops climbs eases edges steady plunges slides tumbles rallies rose fell lower higher surges soars sinks dips";

/**
 * Time from which on two reports of how a price moves are of two days of its market, in milliseconds: the last of a day
 * and the first of the next are nearer, and so are those of one day in two zones.
 */
const MARKET_DAY_MS = 20 * 3_600_000;

/** A report by the stems of its headline, hashed and ascending, and its time in milliseconds since 1970. */
type Headline = { at: number; stems: Uint32Array };

let tables: { goods: ReadonlyMap<number, number>; moves: ReadonlySet<number> } | undefined;

const stemsOf = (words: string): number[] =>
  analyse(words).flatMap(({ terms }) => terms.stems.slice(0, 1).map((stem) => hashOf(stem)));

/**
 * Tells whether two headlines say how the price of one thing moved, on two days of its market: each day is an event of
 * its own, however alike they are told.
 */
export function areMarketDays(a: Headline, b: Headline): boolean {
  if (Math.abs(a.at - b.at) < MARKET_DAY_MS) return false;
  tables ??= {
    goods: new Map(GOODS.flatMap((words, good) => stemsOf(words).map((stem) => [stem, good] as const))),
    moves: new Set(stemsOf(MOVES)),
  };
  const { goods, moves } = tables;
  const traded = ({ stems }: Headline): Set<number> => new Set([...stems].flatMap((stem) => goods.get(stem) ?? []));
  const isMoved = ({ stems }: Headline): boolean => stems.some((stem) => moves.has(stem));
  return !traded(a).isDisjointFrom(traded(b)) && isMoved(a) && isMoved(b);
}
