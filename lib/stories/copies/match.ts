import type { CopyCandidate, CurrentText, MatchedText, ReadText, Store } from "../../store/mod.ts";
import { anchorsOf } from "./anchors.ts";
import { overlapOf, type Runs } from "./overlap.ts";
import { runHashes, wordHashes } from "./words.ts";

/** The version of the rules: raised, all texts are read and matched again. */
export const COPIES_VERSION = 1;

/** Share of either text from which on two texts are joined. */
export const MIN_OVERLAP = 0.2;

/** Texts that one is compared with, at most: those that have most of its anchors. */
const MAX_COMPARED = 40;

/** Share of the anchors of the text with fewer that another must have to be compared. */
const MIN_ANCHORS_SHARED = 0.05;

/** An article's text that was read, to be compared. */
type Read = Runs & { text: CurrentText; anchors: Int32Array };

function read(text: CurrentText): Read {
  const words = wordHashes(text.content);
  const runs = runHashes(words);
  return { text, words, runs, anchors: anchorsOf(runs) };
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
  await store.copies.register(own.map(registered));
  const candidates = Map.groupBy(
    await store.copies.candidates(articles.map(({ articleId }) => articleId)),
    ({ articleId }) => articleId,
  );
  const chosen = new Map(
    own.map((each) => [each, mostShared(each.anchors, candidates.get(each.text.articleId) ?? [])] as const),
  );
  const others = new Map(own.map((each) => [each.text.articleId, each]));
  const missing = new Set([...chosen.values()].flat().filter((id) => !others.has(id)));
  for (const text of await store.copies.texts([...missing])) others.set(text.articleId, read(text));
  return own.map((each) => ({
    articleId: each.text.articleId,
    revision: each.text.revision,
    links: (chosen.get(each) ?? []).flatMap((id) => {
      const other = others.get(id);
      const shared = other && overlapOf(each, other);
      if (shared === undefined || Math.max(shared.overlap, shared.overlapOfOther) < MIN_OVERLAP) return [];
      return [{ otherId: id, otherRevision: other?.text.revision ?? 0, ...shared, confidence: 1 }];
    }),
  }));
}

const registered = ({ text: { articleId, revision }, words, anchors }: Read): ReadText => ({
  articleId,
  revision,
  version: COPIES_VERSION,
  words: words.length,
  anchors,
  credits: [],
});

/** Returns the candidates that have most of the anchors. */
function mostShared(anchors: Int32Array, candidates: readonly CopyCandidate[]): number[] {
  const own = new Set(anchors);
  return candidates
    .map(({ otherId, anchors: theirs }) => {
      let shared = 0;
      for (const anchor of theirs) if (own.has(anchor)) shared++;
      return { otherId, shared, share: shared / Math.min(own.size, theirs.length) };
    })
    .filter(({ share }) => share >= MIN_ANCHORS_SHARED)
    .sort((a, b) => b.shared - a.shared || a.otherId - b.otherId)
    .slice(0, MAX_COMPARED)
    .map(({ otherId }) => otherId);
}
