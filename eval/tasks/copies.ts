import { join } from "node:path";
import type { CopyFamily, CurrentText } from "@isnad/lib/store";
import { type ChainLink, chainOf, matchCopies } from "@isnad/lib/stories";
import { familyIds, memoryCopies } from "@isnad/lib/stories/testing";
import { fold } from "@isnad/lib/text";
import { confidenceOf } from "../../lib/stories/copies/judge.ts";
import { measureArticleCredits, measureCredits } from "../copies/credits.ts";
import { EDITS, type Half, makeFamilies, type StoredCopy } from "../copies/families.ts";
import type { EvalTask } from "../task.ts";
import { createHash } from "node:crypto";

/** Bits in which the signatures of copies differ at most. */
const MAX_DISTANCE = 8;

/** Words that make one feature. */
const SHINGLE = 3;

/**
 * Returns whether two texts count as near duplicates by their 64-bit SimHash over runs of three words, as the platform
 * told copies before. After Charikar (2002), "Similarity estimation techniques from rounding algorithms".
 */
export function areNearBySimHash(text: string, other: string): boolean {
  let differing = 0;
  for (let bits = signature(text) ^ signature(other); bits > 0n; bits &= bits - 1n) differing++;
  return differing <= MAX_DISTANCE;
}

function signature(text: string): bigint {
  const words =
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const votes = new Int32Array(64);
  for (let at = 0; at < Math.max(1, words.length - SHINGLE + 1); at++) {
    const hash = hashOf(words.slice(at, at + SHINGLE).join(" "));
    for (let bit = 0; bit < 64; bit++) votes[bit] = (votes[bit] ?? 0) + (((hash >> BigInt(bit)) & 1n) === 1n ? 1 : -1);
  }
  return votes.reduceRight((bits, vote) => (bits << 1n) | (vote > 0 ? 1n : 0n), 0n);
}

function hashOf(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigUInt64LE();
}

/** A link with its confidence, and whether it is right. */
type Judged = { confidence: number; isRight: boolean };

/** Confidences of a row of a table: from this on, up to the next one. */
const ROWS = [0.4, 0.6, 0.8, 0.9, 0.95, 0.99];

/** A row of a reliability table. */
type Row = { from: number; links: number; confidence: number; right: number };

/** Returns for each range of confidences how many links have one, its mean, and the share that is right. */
export function reliability(judged: readonly Judged[]): Row[] {
  return ROWS.flatMap((from, i) => {
    const below = ROWS[i + 1] ?? Number.POSITIVE_INFINITY;
    const links = judged.filter(({ confidence }) => confidence >= from && confidence < below);
    if (links.length === 0) return [];
    const confidence = links.reduce((sum, each) => sum + each.confidence, 0) / links.length;
    const right = links.filter(({ isRight }) => isRight).length / links.length;
    return [{ from, links: links.length, confidence, right }];
  });
}

/** Returns by how much confidences differ from the share that is right, the mean over links (Naeini et al. 2015). */
export function calibrationError(rows: readonly Row[]): number {
  const links = rows.reduce((sum, row) => sum + row.links, 0);
  return links === 0 ? 0 : rows.reduce((sum, row) => sum + row.links * Math.abs(row.confidence - row.right), 0) / links;
}

const PASSAGE_WORDS = 5;

/** Letters that are written for each other, as readers take them. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[\u064b-\u065f\u0670]/g, ""],
  [/[أإآٱ]/g, "ا"],
  [/ة/g, "ه"],
  [/ى/g, "ي"],
  [/[ؤئء]/g, ""],
];

function wordsOf(text: string): string[] {
  let plain = fold(text).toLowerCase();
  for (const [from, to] of SAME) plain = plain.replace(from, to);
  plain = plain.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the words of the longest passage that two texts share. */
export function longestShared(text: string, other: string): number {
  const [a, b] = [wordsOf(text), wordsOf(other)];
  let longest = 0;
  let row = new Uint16Array(b.length + 1);
  for (const word of a) {
    const next = new Uint16Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      const length = b[j - 1] === word ? (row[j - 1] ?? 0) + 1 : 0;
      next[j] = length;
      if (length > longest) longest = length;
    }
    row = next;
  }
  return longest;
}

/**
 * Returns how much two texts share, by their words as they are written, with nothing of the platform's: the greater
 * share, and that of the shorter text.
 */
export function trueShares(text: string, other: string): { share: number; ofShorter: number } {
  const [a, b] = [wordsOf(text), wordsOf(other)];
  const [ofA, ofB] = [shareIn(a, b), shareIn(b, a)];
  return { share: Math.max(ofA, ofB), ofShorter: a.length <= b.length ? ofA : ofB };
}

function shareIn(words: readonly string[], others: readonly string[]): number {
  const runs = new Set(others.map((_, at) => others.slice(at, at + PASSAGE_WORDS).join(" ")));
  const covered = new Set<number>();
  for (let at = 0; at + PASSAGE_WORDS <= words.length; at++)
    if (runs.has(words.slice(at, at + PASSAGE_WORDS).join(" ")))
      for (let i = at; i < at + PASSAGE_WORDS; i++) covered.add(i);
  return words.length === 0 ? 0 : covered.size / words.length;
}

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

/** Returns what joins articles, and the family that each is shown with. */
async function matchAll(stored: readonly StoredCopy[]) {
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
  const links = [...store.links.values()];
  const members = new Map(stored.map((copy) => [copy.articleId, memberOf(copy)]));
  const familyOf = (articleId: number): CopyFamily => {
    const ids = familyIds(articleId, links);
    return {
      articleId,
      members: [...ids].flatMap((id) => members.get(id) ?? []),
      links: links.filter((link) => ids.has(link.articleId) && ids.has(link.otherId)),
    };
  };
  return { links, familyOf };
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
  const matched = await matchAll(stored);
  const byId = new Map(stored.map((each) => [each.articleId, each]));
  const links = new Rate();
  const judged: Judged[] = [];
  const predictions: string[] = [];
  for (const { articleId, otherId, overlap, overlapOfOther, confidence } of matched.links) {
    const [one, other] = [byId.get(articleId), byId.get(otherId)];
    if (one === undefined || other === undefined || isTakenOver(one, other)) continue;
    const isRight = one.family === other.family;
    links.add(isRight);
    judged.push({ confidence: confidenceOf(confidence), isRight });
    if (!isRight)
      predictions.push(
        `wrong\t${one.id}\t${other.id}\t${overlap.toFixed(2)}\t${overlapOfOther.toFixed(2)}\t${confidence.toFixed(2)}`,
      );
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
    const chain = chainOf(matched.familyOf(copy.articleId));
    const isFound = chain.some(({ articleId }) => articleId === first.articleId);
    recall.get(copy.edit)?.add(isFound);
    bySimHash.add(areNearBySimHash(copy.content, first.content));
    if (!isFound) {
      predictions.push(`missed\t${copy.id}`);
      continue;
    }
    const head = byId.get(chain[0]?.articleId ?? 0);
    // What a real article was taken from, in truth, may stand before it.
    if (head !== undefined && !isTakenOver(head, first)) {
      firsts.add(head === first);
      if (head !== first) predictions.push(`first\t${copy.id}\t${head.id}`);
    }
    const link = chain.find(({ articleId }) => articleId === copy.articleId);
    kinds.add(link?.kind === kind);
    if (link?.kind !== kind) predictions.push(`kind\t${copy.id}\t${link?.kind}\t${kind}\t${link?.overlap.toFixed(2)}`);
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
