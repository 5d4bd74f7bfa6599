import { join } from "node:path";
import { type CharsetCases, checkCharset } from "./charset.ts";
import { checkCase, readCases } from "./feedparser.ts";
import { checkGofeedCase, gofeedCases } from "./gofeed.ts";
import type { FeedOutcome } from "./outcome.ts";
import { checkSanitised, sanitiserCases } from "./sanitiser.ts";

/** How the cases of a collection came out: a case is right when all that it expects of our fields is. */
export interface CollectionResult {
  readonly collection: "feedparser" | "gofeed" | "sanitiser" | "charset";
  readonly right: number;
  /** Cases that concern fields which we carry, waived ones aside. */
  readonly total: number;
  readonly wrong: readonly FeedOutcome[];
  /** Waived cases that do fail. */
  readonly waived: readonly string[];
}

/** Cases that we mean to read differently, by collection and file, each with the reason. */
export type Waived = Readonly<Record<string, string>>;

/** Measures feed reading on the collections below a feeds folder. */
export function measureFeeds(feeds: string, charsets: CharsetCases, waived: Waived): CollectionResult[] {
  const [feedparser, gofeed] = [join(feeds, "feedparser"), join(feeds, "gofeed")];
  return [
    tally(
      "feedparser",
      readCases(feedparser).map((each) => checkCase(feedparser, each)),
      waived,
    ),
    tally(
      "gofeed",
      gofeedCases(gofeed).map((each) => checkGofeedCase(gofeed, each)),
      waived,
    ),
    tally(
      "sanitiser",
      sanitiserCases(feeds).map((file) => [checkSanitised(feeds, file)].filter((each) => each !== null)),
      waived,
    ),
    tally(
      "charset",
      Object.entries(charsets).map(([file, charset]) => [checkCharset(feeds, file, charset)]),
      waived,
    ),
  ];
}

function tally(
  collection: CollectionResult["collection"],
  cases: readonly FeedOutcome[][],
  waived: Waived,
): CollectionResult {
  const wrong: FeedOutcome[] = [];
  const excused: string[] = [];
  let right = 0;
  let total = 0;
  for (const outcomes of cases) {
    const [first] = outcomes;
    if (first === undefined) continue;
    const failed = outcomes.filter((outcome) => !outcome.right);
    const name = `${collection}/${first.file}`;
    if (failed.length > 0 && waived[name] !== undefined) {
      excused.push(name);
      continue;
    }
    total++;
    if (failed.length === 0) right++;
    wrong.push(...failed);
  }
  return { collection, right, total, wrong, waived: excused };
}
