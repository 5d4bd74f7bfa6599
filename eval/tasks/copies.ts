import { join } from "node:path";
import { chainOf, type ChainLink, matchCopies } from "@isnad/lib/stories";
import { memoryCopies } from "@isnad/lib/stories/testing";
import type { CopyFamily, CurrentText } from "@isnad/lib/store";
import { EDITS } from "../copies/edits.ts";
import { confidenceOf } from "../../lib/stories/copies/judge.ts";
import { measureArticleCredits, measureCredits } from "../copies/credits.ts";
import { type Half, makeFamilies, type StoredCopy } from "../copies/families.ts";
import { calibrationError, type Judged, reliability } from "../copies/reliability.ts";
import { areNearBySimHash } from "../copies/simhash.ts";
import { longestShared, trueShares } from "../copies/true-shares.ts";
import type { EvalTask } from "../task.ts";

/** Articles of each file that are copied. */
const COPIED = 150;

/** Articles that are matched at a time, as the stage does. */
const BATCH = 32;

const asText = ({ articleId, title, content, sourceId, publishedAt }: StoredCopy): CurrentText => ({
  articleId,
  revision: 1,
  title,
  content,
  lang: null,
  sourceId,
  domain: `${sourceId}.example`,
  publishedAt,
  createdAt: publishedAt,
});

/** Returns the families that links join, each with its members and links. */
async function familiesOf(stored: readonly StoredCopy[]): Promise<CopyFamily[]> {
  const texts = stored.map(asText);
  const store = memoryCopies(texts);
  for (let at = 0; at < texts.length; at += BATCH)
    await store.copies.put(await matchCopies(store, texts.slice(at, at + BATCH)));
  const byNumber = new Map(texts.map((text) => [text.articleId, text]));
  for (let rounds = 0; store.again.size > 0 && rounds < 100; rounds++) {
    const ids = [...store.again].slice(0, BATCH);
    for (const id of ids) store.again.delete(id);
    await store.copies.put(
      await matchCopies(
        store,
        ids.flatMap((id) => byNumber.get(id) ?? []),
      ),
    );
  }
  const byId = new Map(stored.map((each) => [each.articleId, each]));
  const neighbours = new Map<number, number[]>();
  for (const { articleId, otherId } of store.links.values())
    for (const [one, other] of [
      [articleId, otherId],
      [otherId, articleId],
    ] as const)
      neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
  const seen = new Set<number>();
  const families: CopyFamily[] = [];
  for (const { articleId } of stored) {
    if (seen.has(articleId)) continue;
    const ids = [articleId];
    seen.add(articleId);
    for (const id of ids)
      for (const other of neighbours.get(id) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        ids.push(other);
      }
    const members = ids.flatMap((id) => {
      const copy = byId.get(id);
      return copy === undefined ? [] : memberOf(copy);
    });
    const among = new Set(ids);
    families.push({ articleId, members, links: [...store.links.values()].filter((link) => among.has(link.articleId)) });
  }
  return families;
}

const memberOf = ({ articleId, sourceId, title, content, publishedAt }: StoredCopy) => ({
  articleId,
  aliasOf: null,
  sourceId,
  sourceName: null,
  title,
  url: `https://${sourceId}.example/${articleId}`,
  publishedAt,
  cameAt: publishedAt,
  words: content.split(/\s+/).length,
  credits: [],
});

/** A sum of what is right and how much there is. */
class Rate {
  right = 0;
  all = 0;

  add(isRight: boolean): void {
    this.all++;
    if (isRight) this.right++;
  }

  get value(): number {
    return this.all === 0 ? Number.NaN : this.right / this.all;
  }
}

/** Returns the kind that a copy is by what it shares with its first, undefined below the least share. */
function trueKind(copy: StoredCopy, first: StoredCopy): ChainLink["kind"] | undefined {
  const { share, ofShorter } = trueShares(copy.content, first.content);
  return ofShorter >= 0.8 ? "copy" : share >= 0.2 ? "partial" : undefined;
}

/** Measures on a half of a file what becomes of the copies. */
async function measureCopies(path: string, half: Half) {
  const stored = makeFamilies(path, half, COPIED);
  const families = await familiesOf(stored);
  const byId = new Map(stored.map((each) => [each.articleId, each]));
  const chainById = new Map<number, { chain: ChainLink[]; place: number }>();
  const links = new Rate();
  const judged: Judged[] = [];
  const predictions: string[] = [];
  for (const family of families) {
    const chain = chainOf(family);
    for (const [place, { articleId }] of chain.entries())
      if (articleId !== null) chainById.set(articleId, { chain, place });
    for (const { articleId, otherId, overlap, overlapOfOther, confidence } of family.links) {
      const [one, other] = [byId.get(articleId), byId.get(otherId)];
      if (one === undefined || other === undefined || isTakenOver(one, other)) continue;
      links.add(one.family === other.family);
      judged.push({ confidence: confidenceOf(confidence), isRight: one.family === other.family });
      if (one.family !== other.family)
        predictions.push(
          `wrong\t${one.id}\t${other.id}\t${overlap.toFixed(2)}\t${overlapOfOther.toFixed(2)}\t${confidence.toFixed(2)}`,
        );
    }
  }
  const recall = new Map<string, Rate>(Object.keys(EDITS).map((edit) => [edit, new Rate()]));
  const bySimHash = new Rate();
  const firsts = new Rate();
  const kinds = new Rate();
  for (const copy of stored) {
    if (copy.edit === undefined) continue;
    const first = stored.find(({ id }) => id === copy.family);
    const kind = first && trueKind(copy, first);
    if (first === undefined || kind === undefined) continue;
    const place = chainById.get(copy.articleId);
    const link = place?.chain[place.place];
    const isFound = place?.chain.some(({ articleId }) => articleId === first.articleId) === true;
    recall.get(copy.edit)?.add(isFound);
    bySimHash.add(areNearBySimHash(copy.content, first.content));
    if (place === undefined || !isFound) predictions.push(`missed\t${copy.id}`);
    else {
      const head = byId.get(place.chain[0]?.articleId ?? 0);
      // What a real article was taken from, in truth, may stand before it.
      if (head !== undefined && !isTakenOver(head, first)) firsts.add(head.articleId === first.articleId);
      kinds.add(link?.kind === kind);
      if (link?.kind !== kind)
        predictions.push(`kind\t${copy.id}\t${link?.kind}\t${kind}\t${link?.overlap.toFixed(2)}`);
    }
  }
  const table = reliability(judged);
  for (const { from, links: count, confidence, right } of table)
    predictions.push(`confidence\t${from}\t${count}\t${confidence.toFixed(3)}\t${right.toFixed(3)}`);
  const rates = Object.fromEntries([...recall].map(([edit, rate]) => [`recall ${edit}`, rate.value]));
  return {
    figures: {
      "copies precision": links.value,
      ...rates,
      "first right": firsts.value,
      "kind right": kinds.value,
      "SimHash recall": bySimHash.value,
      "confidence off by": calibrationError(table),
    },
    size: stored.length,
    predictions,
  };
}

/** Words of a passage that two real articles share, from which on it was taken over in truth and not by the script. */
const TAKEN_OVER = 14;

/** Share of either text from which on it was, too. */
const MOSTLY_TAKEN = 0.4;

/** Returns whether the real articles that two were made of share text: neither right nor wrong. */
function isTakenOver(one: StoredCopy, other: StoredCopy): boolean {
  if (one.family === other.family || one.real === undefined || other.real === undefined) return false;
  const ofOther = [other.real, other.foreign].filter((text) => text !== undefined);
  return [one.real, one.foreign].some(
    (text) => text !== undefined && ofOther.some((theirs) => areTakenOver(text, theirs)),
  );
}

const areTakenOver = (text: string, other: string): boolean =>
  longestShared(text, other) >= TAKEN_OVER || trueShares(text, other).share >= MOSTLY_TAKEN;

/** Names the set of sentences whose credits were judged by reading. */
const CREDITS = "credits, judged sentences";

/** Names the set of articles whose credits were labelled by reading. */
const ARTICLE_CREDITS = "credits, labelled articles";

/** Names the set of articles that nothing was chosen by. */
const HELD_OUT_CREDITS = "credits, articles held out";

/** Measures how copies with known edits are found among series, shared endings and other articles. */
export const copies: EvalTask = {
  name: "copies",
  formats: "JSON lines with id, source, title and text, plain or .gz",
  sets: (data) => [
    ...["ant_v1_ar", "ant_v2_ar", "english"].map((name) => ({
      set: `${name}, held-out half`,
      path: join(data, `news/${name}.jsonl.gz`),
    })),
    { set: CREDITS, path: join(data, "news") },
    { set: ARTICLE_CREDITS, path: join(data, "news") },
    { set: HELD_OUT_CREDITS, path: join(data, "news") },
  ],
  async load() {
    return {
      async measure({ set, path }) {
        if (set === CREDITS) return measureCredits(path);
        if (set === ARTICLE_CREDITS) return measureArticleCredits(path, "chosenBy");
        if (set === HELD_OUT_CREDITS) return measureArticleCredits(path, "heldOut");
        return await measureCopies(path, "held-out");
      },
      close: async () => {},
    };
  },
};
