import type { CopyCandidate, CopyLink, CurrentText, MatchedText, ReadText, Store } from "../../store/mod.ts";
import { creditsOf } from "../credits/credits.ts";
import { anchorsOf, readWords, type Words } from "./words.ts";
import { type Carrier, COMMON_GROUPS, fullAnchors, groupsOf, groupsWith } from "./common.ts";
import { likelihoodOf } from "./judge.ts";
import { compareTexts, type Shared, sharedWords } from "./overlap.ts";

/** The version of the rules: raised, all texts are read and matched again. */
export const COPIES_VERSION = 4;

/** Share of either text from which on two texts are joined. */
const MIN_OVERLAP = 0.2;

/** Likelihood from which on two texts are joined; that share long passages above all, of which a series has none. */
const MIN_LIKELIHOOD = 0.4;
const MIN_LIKELIHOOD_LONG = 0.2;

/** Share of what is shared that stands in long passages. */
const MOSTLY_LONG = 0.5;

/** Likelihood from which on two texts are related whatever else is known of their passages. */
const SURELY_RELATED = 0.97;

/** Texts that one is compared with, at most: those that have most of its anchors. */
const MAX_COMPARED = 40;

/** Share of the anchors of the text with fewer that another must have to be compared. */
const MIN_ANCHORS_SHARED = 0.05;

/** An article's text that was read, to be compared. */
type Read = Words & { text: CurrentText; title: Words; anchors: Int32Array };

function read(text: CurrentText): Read {
  const words = readWords(text.content);
  return { ...words, text, title: readWords(text.title), anchors: anchorsOf(words.runs) };
}

/**
 * Reads the texts of articles, stores their anchors and credits, and returns what they share with others. To be stored
 * by `store.copies.put`.
 */
export async function matchCopies(
  store: Pick<Store, "copies">,
  articles: readonly CurrentText[],
): Promise<MatchedText[]> {
  const own = articles.map(read);
  const linked = await store.copies.register(own.map(registered));
  const candidates = Map.groupBy(
    await store.copies.candidates(articles.map(({ articleId }) => articleId)),
    ({ articleId }) => articleId,
  );
  const seen = Map.groupBy([...linked, ...[...candidates.values()].flat()], ({ articleId }) => articleId);
  const carriers = new Map(own.map((each) => [each, carriersOf(each, candidates.get(each.text.articleId) ?? [])]));
  const compared = new Map([...carriers].map(([each, list]) => [each, mostShared(each, list)]));
  const others = new Map(own.map((each) => [each.text.articleId, each]));
  const missing = new Set([...compared.values()].flat().filter((id) => !others.has(id)));
  for (const text of await store.copies.texts([...missing])) others.set(text.articleId, read(text));
  const matched: MatchedText[] = [];
  for (const each of own) {
    const pairs = (compared.get(each) ?? []).flatMap((id) => {
      const other = others.get(id);
      return other === undefined ? [] : { other, shared: compareTexts(each, other) };
    });
    const likely = pairs.filter(({ shared }) => Math.max(shared.overlap, shared.overlapOfOther) >= MIN_OVERLAP);
    const judged = await judge(store, each, likely, carriers.get(each) ?? []);
    const full = fullAnchors(carriers.get(each) ?? []);
    const anchors = full.size === 0 ? undefined : each.anchors.filter((anchor) => !full.has(anchor));
    const { articleId, revision } = each.text;
    const revisions = (seen.get(articleId) ?? []).map(
      ({ otherId, otherRevision }) => [otherId, otherRevision] as const,
    );
    matched.push({ articleId, revision, anchors, seen: new Map(revisions), ...judged });
  }
  return matched;
}

const registered = ({ text: { articleId, revision, content }, words, anchors }: Read): ReadText => ({
  articleId,
  revision,
  version: COPIES_VERSION,
  words: words.length,
  anchors,
  credits: creditsOf(content),
});

function carriersOf({ anchors }: Read, candidates: readonly CopyCandidate[]): Carrier[] {
  const own = new Set(anchors);
  return candidates.map(({ otherId, anchors: theirs }) => ({
    id: otherId,
    shared: theirs.filter((anchor) => own.has(anchor)),
    anchors: theirs.length,
  }));
}

/** Returns the articles that have most of the anchors. */
function mostShared({ anchors }: Read, carriers: readonly Carrier[]): number[] {
  return carriers
    .filter(({ shared, anchors: theirs }) => shared.length >= MIN_ANCHORS_SHARED * Math.min(anchors.length, theirs))
    .sort((a, b) => b.shared.length - a.shared.length || a.id - b.id)
    .slice(0, MAX_COMPARED)
    .map(({ id }) => id);
}

/** A text that one was compared with, and what they share. */
type Pair = { other: Read; shared: Shared };

/** Returns the links of a text: what it shares with others, without what many unrelated articles have. */
async function judge(
  store: Pick<Store, "copies">,
  text: Read,
  pairs: readonly Pair[],
  carriers: readonly Carrier[],
): Promise<Pick<MatchedText, "links" | "again">> {
  const related = relatedTo(text, pairs);
  const unrelated = carriers.filter(({ id }) => !related.has(id));
  const known = await store.copies.linksAmong(unrelated.map(({ id }) => id));
  const sureLinks = known.filter((link) => link.confidence >= SURELY_RELATED);
  const groups = groupsWith(unrelated, groupsOf(sureLinks));
  const common = new Set([...groups].filter(([, count]) => count >= COMMON_GROUPS).map(([anchor]) => anchor));
  const links = pairs.flatMap(({ other, shared }) => {
    const telling = groups.size > 0 ? compareTexts(text, other, groups) : shared;
    const confidence = likelihood(text, { other, shared: telling });
    if (confidence < (telling.long > MOSTLY_LONG ? MIN_LIKELIHOOD_LONG : MIN_LIKELIHOOD)) return [];
    const { overlap, overlapOfOther } = shared;
    const { articleId: otherId, revision: otherRevision } = other.text;
    return { otherId, otherRevision, overlap, overlapOfOther, confidence, carriers: carriers.length };
  });
  return { links, again: joinedByCommon(known, unrelated, common) };
}

/** Returns articles that were joined when half as many were known to have what is common; one of each pair will do. */
function joinedByCommon(
  links: readonly CopyLink[],
  carriers: readonly Carrier[],
  common: ReadonlySet<number>,
): number[] {
  const carrying = new Set(
    carriers.filter(({ shared }) => shared.some((anchor) => common.has(anchor))).map(({ id }) => id),
  );
  const doubtful = links.filter(
    ({ articleId, otherId, carriers: before }) =>
      2 * before <= carriers.length && carrying.has(articleId) && carrying.has(otherId),
  );
  return [...new Set(doubtful.map(({ articleId }) => articleId))];
}

/**
 * Returns the articles that are related to a text by what they share alone. Where few are likely to be, all of these
 * are; where many are, they may be of one form.
 */
function relatedTo(text: Read, pairs: readonly Pair[]): Set<number> {
  const likely = pairs.map((pair) => ({ id: pair.other.text.articleId, likelihood: likelihood(text, pair) }));
  const sure = likely.filter((each) => each.likelihood >= SURELY_RELATED);
  const perhaps = likely.filter((each) => each.likelihood >= MIN_LIKELIHOOD && each.likelihood < SURELY_RELATED);
  return new Set([...sure, ...(perhaps.length < COMMON_GROUPS ? perhaps : [])].map(({ id }) => id));
}

const likelihood = (text: Read, { other, shared }: Pair): number =>
  likelihoodOf(shared, {
    sameSource: text.text.sourceId === other.text.sourceId,
    titles: sharedWords(text.title, other.title),
  });
