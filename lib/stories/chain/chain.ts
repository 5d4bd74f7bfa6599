import { confidenceOf } from "../copies/judge.ts";
import { isOwnCredit } from "../credits/credits.ts";
import { type CopyFamily, type CopyLink, type Credit, type FamilyMember, MOSTLY_SHARED } from "../../store/mod.ts";

/** Share of the shorter text from which on it is a copy; below, a part of it is. */
const MIN_COPY = 0.8;

/** A text may come with a time that is as much later than it came itself: clocks differ. */
const MAX_AHEAD_MS = 60 * 60_000;

/** No news is from before: what says so has no time, or the zero of some clock. */
const EARLIEST_MS = Date.parse("1970-01-02T00:00:00Z");

/** Tells links apart: the first that is there, the same text elsewhere, most of a text, or a part of one. */
type LinkKind = "origin" | "exact" | "copy" | "partial";

/** A link of a chain: a text, and where it is most likely from. */
export type ChainLink = {
  articleId: number | null;
  sourceId: string;
  sourceName: string;
  title: string;
  url: string;
  /** Null where it is missing or impossible. */
  publishedAt: string | null;
  kind: LinkKind;
  overlap: number;
  overlapOfSource: number;
  from: { articleId: number | null; url: string } | null;
  credits: Credit[];
  confidence: number;
};

/** A member with what the order goes by. */
type Placed = FamilyMember & { time: number; key: number };

/**
 * Returns a family in order of publication, each with the earlier one that it is most likely from. Those without a
 * possible time are last, in the order in which they came. It begins with the earliest that the article itself shares
 * text with, or a copy of it: an earlier one that only has a paragraph in common with what others added to a part of it
 * tells nothing of where the article is from.
 */
export function chainOf({ articleId, members, links }: CopyFamily): ChainLink[] {
  const all = members.map(place).sort(compare);
  const near = nearOf(articleId, links);
  const placed = all.slice(
    Math.max(
      0,
      all.findIndex(({ key }) => near.has(key)),
    ),
  );
  const shared = sharedBetween(links);
  const chain: ChainLink[] = [];
  placed.forEach((member, at) => {
    const source = sourceOf(member, placed.slice(0, at), shared);
    chain.push(linkOf(member, source));
  });
  return chain;
}

/** Returns an article with those that it shares text with, their copies, and the copies of these. */
function nearOf(articleId: number, links: readonly CopyLink[]): Set<number> {
  const near = new Set([articleId]);
  for (const id of near)
    for (const link of links) {
      if (id !== articleId && Math.max(link.overlap, link.overlapOfOther) < MOSTLY_SHARED) continue;
      if (link.articleId === id) near.add(link.otherId);
      if (link.otherId === id) near.add(link.articleId);
    }
  return near;
}

function place(member: FamilyMember): Placed {
  const published = member.publishedAt === null ? Number.NaN : Date.parse(member.publishedAt);
  const isPossible = published >= EARLIEST_MS && published <= Date.parse(member.cameAt) + MAX_AHEAD_MS;
  return {
    ...member,
    publishedAt: isPossible ? member.publishedAt : null,
    time: isPossible ? published : Number.POSITIVE_INFINITY,
    key: member.articleId ?? member.aliasOf ?? 0,
  };
}

function compare(a: Placed, b: Placed): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.cameAt !== b.cameAt) return a.cameAt < b.cameAt ? -1 : 1;
  return a.key - b.key || Number(a.articleId === null) - Number(b.articleId === null);
}

/** Returns what two members share, undefined where it is nothing. */
type Shared = (
  member: Placed,
  other: Placed,
) => Pick<CopyLink, "overlap" | "overlapOfOther" | "confidence"> | undefined;

const SAME = { overlap: 1, overlapOfOther: 1, confidence: 1 };

function sharedBetween(links: readonly CopyLink[]): Shared {
  const byPair = new Map(links.map((link) => [`${link.articleId} ${link.otherId}`, link]));
  return (member, other) => {
    if (member.key === other.key) return SAME;
    const link = byPair.get(`${member.key} ${other.key}`);
    if (link !== undefined) return link;
    const back = byPair.get(`${other.key} ${member.key}`);
    return back && { ...back, overlap: back.overlapOfOther, overlapOfOther: back.overlap };
  };
}

type Source = { member: Placed } & NonNullable<ReturnType<Shared>>;

/** Returns the earlier member with which one shares most, of equal ones the earliest. */
function sourceOf(member: Placed, earlier: readonly Placed[], shared: Shared): Source | undefined {
  let best: Source | undefined;
  for (const other of earlier) {
    const link = shared(member, other);
    if (link !== undefined && link.overlap > (best?.overlap ?? 0)) best = { member: other, ...link };
  }
  return best;
}

function linkOf(member: Placed, source: Source | undefined): ChainLink {
  const { articleId, sourceId, title, url, publishedAt } = member;
  const sourceName = member.sourceName ?? sourceId;
  const credits = member.credits.filter((credit) => !isOwnCredit(credit, [sourceId, sourceName, hostName(url)]));
  return {
    articleId,
    sourceId,
    sourceName,
    title,
    url,
    publishedAt,
    kind: kindOf(member, source),
    overlap: source?.overlap ?? 0,
    overlapOfSource: source?.overlapOfOther ?? 0,
    from: source === undefined ? null : { articleId: source.member.articleId, url: source.member.url },
    credits,
    confidence: source === undefined ? 1 : confidenceOf(source.confidence),
  };
}

/** Returns the name in the host of an address, such as `bbc` of `https://www.bbc.co.uk/`. */
function hostName(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host.replace(/^(?:www|ar|arabic|m)\./, "").split(".", 1)[0] ?? "";
}

function kindOf(member: Placed, source: Source | undefined): LinkKind {
  if (source === undefined) return "origin";
  if (source.member.key === member.key) return "exact";
  const isShorter = (member.words ?? 0) <= (source.member.words ?? 0);
  return (isShorter ? source.overlap : source.overlapOfOther) >= MIN_COPY ? "copy" : "partial";
}
