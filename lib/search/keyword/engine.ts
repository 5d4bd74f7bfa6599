import { setImmediate as nextTurn } from "node:timers/promises";
import { at } from "../../std/mod.ts";
import { LOG_START, type LogPosition } from "../../store/values.ts";
import { ARTICLE_FIELDS, comparable, timeOf } from "../filters.ts";
import { sharedDictionary } from "../../text/mod.ts";
import type { DocumentRow } from "./forward.ts";
import { DocumentEncoder, packed, postingsOf, TITLE_SHIFT } from "./postings.ts";
import { Projection } from "./projection.ts";
import { readQuery } from "./reading.ts";
import { allowedAmong, hasKnownWord, lackingBegun, search, supportsAmong, translation } from "./search.ts";
import { loadSnapshot, type MemoryIndex, saveSnapshot } from "./snapshot.ts";
import { survey } from "./survey.ts";
import {
  type KeywordDoc,
  type KeywordHits,
  KeywordIndexError,
  type KeywordQuery,
  type KeywordStatus,
  type KeywordSuggestions,
  type QueryReading,
  type ReadableQuery,
  type SuggestQuery,
  type Survey,
  type SurveyQuery,
} from "./types.ts";
import { type TermNumbers, Words } from "./words.ts";

/** Only titles are looked at: what they say is what somebody can ask for. */
const FIELDS = { title: 1, content: 0 };

/**
 * Returns what somebody who has typed so far may be after: articles whose titles hold these words, the last of them
 * begun, and words that the last one may become beside the others, with an article that has each in its title.
 */
function suggest(projection: Projection, numbers: TermNumbers, { q, limit }: SuggestQuery): KeywordSuggestions {
  const query = { text: q, typos: "auto", prefix: true } as const;
  const { articleIds } = search(projection, numbers, { ...query, fields: FIELDS, limit });
  const { guessed } = readQuery(query, projection, numbers);
  const begun = guessed.find(({ forms }) => forms !== undefined)?.guesses ?? [];
  const words = begun.slice(0, limit).flatMap(({ text, stem }) => {
    const articleId = newestTitled(projection, stem);
    return articleId === undefined ? [] : [{ form: text, articleId, count: at(projection.documents, stem) }];
  });
  return { titles: Array.from(articleIds, (articleId) => ({ articleId })), words };
}

/** Returns the article with the largest id among those that have a term in their title. */
function newestTitled({ segments }: Projection, term: number): number | undefined {
  let newest: number | undefined;
  for (const segment of segments) {
    const { from, to } = postingsOf(segment, term);
    for (let i = from; i < to; i++) {
      const doc = segment.docs[i] ?? 0;
      if ((segment.freqs[i] ?? 0) >> TITLE_SHIFT === 0 || segment.live[doc] === 0) continue;
      const id = at(segment.forward.ids, doc);
      if (newest === undefined || id > newest) newest = id;
    }
  }
  return newest;
}

/** How long is worked at a time between searches, in milliseconds. */
const SLICE_MS = 4;

/**
 * The keyword index itself, which lives in a Worker: everything in memory, with a snapshot in a folder. One index
 * serves; after a reset another one is filled beside it until that is complete. Searches see each write whole.
 */
class KeywordEngine {
  readonly #dir: string;
  readonly #partial: boolean;
  readonly #early: boolean;
  #serving: MemoryIndex | undefined;
  #building: MemoryIndex | undefined;
  #encoder = new DocumentEncoder(() => 0);
  /** Whether the snapshot was read, or is not wanted any more. */
  #loaded = false;
  /** Grows with each document that is written or taken out. */
  #changes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /**
   * Answers searches while it is not complete, from what is there: with `partial` from the start, with `early` once it
   * is being filled.
   */
  constructor(dir: string, { partial = false, early = false }: { partial?: boolean; early?: boolean } = {}) {
    this.#dir = dir;
    this.#partial = partial;
    this.#early = early;
    if (partial) this.#begin(emptyIndex());
  }

  /**
   * Returns up to where in the log the index goes; nothing where it has to be filled from the beginning. The first call
   * loads the snapshot; `dropped` says why one was of no use.
   */
  async position(): Promise<{ position?: LogPosition; dropped?: string }> {
    if (this.#loaded) return { position: this.#open.position };
    const { index, dropped } = await loadSnapshot(this.#dir);
    if (index === undefined) return dropped === undefined ? {} : { dropped };
    this.#loaded = true;
    this.#begin(index);
    return { position: index.position };
  }

  /** Begins with nothing. What there is serves until that is complete. */
  reset(): void {
    this.#loaded = true;
    const before = this.#serving;
    this.#begin(emptyIndex());
    if (before?.complete) this.#serving = before;
  }

  /** Writes documents, each in the place of the one of its id, in slices between which searches are answered. */
  async upsert(docs: readonly KeywordDoc[]): Promise<void> {
    const { projection } = this.#open;
    const rows: DocumentRow[] = [];
    let until = performance.now() + SLICE_MS;
    for (const doc of docs) {
      const fields = ARTICLE_FIELDS.map((field) => comparable(doc, field));
      const { articleId: id, authors } = doc;
      const words = packed(this.#encoder.encode(doc));
      rows.push({ id, seq: ++this.#changes, fields, words, time: timeOf(doc), ...(authors && { authors }) });
      if (performance.now() < until) continue;
      await nextTurn();
      until = performance.now() + SLICE_MS;
    }
    for (const { sourceId, tier } of docs) setTier(projection, sourceId, tier);
    projection.add(rows);
    this.#mergeLater();
  }

  remove(articleIds: readonly number[]): void {
    const { projection } = this.#open;
    for (const id of articleIds) projection.remove(id, ++this.#changes);
    this.#mergeLater();
  }

  /** Says up to where the documents go that are there now. */
  advance(to: LogPosition): void {
    this.#open.position = to;
  }

  /** Says that what was built holds everything: it serves from now on. */
  complete(): void {
    const building = this.#open;
    building.complete = true;
    this.#serving = building;
  }

  /** Whether there is anything that the snapshot does not have. */
  async save(): Promise<boolean> {
    const index = this.#open;
    return index.complete && (await saveSnapshot(this.#dir, index));
  }

  /** The hits in columns, which cross a thread at no cost. */
  search(query: KeywordQuery): KeywordHits {
    const { projection, words } = this.#answering;
    return search(projection, words, query);
  }

  /** Those of `articleIds` that an answer to the query may hold. */
  allowed(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): number[] {
    const { projection, words } = this.#answering;
    return allowedAmong(projection, words, query, articleIds);
  }

  /** Surveys the hits of a query. */
  survey(query: SurveyQuery): Survey {
    const { projection, words } = this.#answering;
    return survey(projection, words, query);
  }

  /** Returns a query as it is searched by meaning. */
  reading(query: ReadableQuery): QueryReading {
    const { projection, words } = this.#answering;
    const { text, corrections, others } = readQuery(query, projection, words);
    const isKnown = hasKnownWord(projection, words, text);
    return { text, corrections, others, isKnown, translation: translation(projection, words, text) };
  }

  /** See {@link supportsAmong}. */
  supports(query: ReadableQuery, articleIds: readonly number[]): number[] {
    const { projection, words } = this.#answering;
    return supportsAmong(projection, words, query, articleIds);
  }

  /** See {@link lackingBegun}. */
  lackingBegun(query: ReadableQuery, articleIds: readonly number[]): number[] {
    const { projection, words } = this.#answering;
    return lackingBegun(projection, words, query, articleIds);
  }

  /** See {@link suggest}. */
  suggest(query: SuggestQuery): KeywordSuggestions {
    const { projection, words } = this.#answering;
    return suggest(projection, words, query);
  }

  /** Up to `limit` ids above `afterId`, ascending, of what is written. */
  ids(afterId: number, limit: number): number[] {
    return this.#open.projection.idsAfter(afterId, limit);
  }

  count(): number {
    return this.#answering.projection.count;
  }

  status(): KeywordStatus {
    const index = this.#serving;
    const complete = index?.complete === true;
    const documents = index?.projection.count ?? 0;
    return { state: complete || this.#partial ? "ready" : "unavailable", documents, complete };
  }

  setTier(sourceId: string, tier: number): void {
    for (const index of [this.#serving, this.#building]) if (index) setTier(index.projection, sourceId, tier);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #begin(index: MemoryIndex): void {
    this.#building = index;
    this.#serving = index;
    this.#encoder = new DocumentEncoder((terms) => index.words.add(terms));
    this.#changes = 0;
    for (const { forward } of index.projection.segments) {
      for (const seq of forward.seqs) this.#changes = Math.max(this.#changes, seq);
    }
    this.#mergeLater();
  }

  /** Puts the memory in order, for a moment at a time. */
  #mergeLater(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#closed && this.#building?.projection.merge(SLICE_MS) === false) this.#mergeLater();
    }, SLICE_MS);
  }

  /** What is written to. */
  get #open(): MemoryIndex {
    if (this.#closed) throw new KeywordIndexError("closed", "keyword index: closed");
    if (this.#building === undefined) throw new KeywordIndexError("unavailable", "keyword index: it is being loaded");
    return this.#building;
  }

  get #answering(): MemoryIndex {
    if (this.#closed) throw new KeywordIndexError("closed", "keyword index: closed");
    if (this.#serving === undefined) throw new KeywordIndexError("unavailable", "keyword index: it is being loaded");
    if (this.#serving.complete || this.#partial || this.#early) return this.#serving;
    throw new KeywordIndexError("unavailable", "keyword index: it is being filled");
  }
}

/** Makes an index that holds nothing. */
function emptyIndex(): MemoryIndex {
  const words = new Words();
  return { words, projection: new Projection(words.vocabulary), position: LOG_START, complete: false };
}

function setTier(projection: Projection, sourceId: string, tier: number): void {
  if (projection.tiers.get(sourceId) === tier) return;
  projection.tiers = new Map(projection.tiers).set(sourceId, tier);
}

/** A thread with an index whose snapshot is in a folder. */
export function start({ dir, partial, early }: { dir: string; partial: boolean; early: boolean }) {
  // A search that came first would wait for it.
  sharedDictionary();
  const engine = new KeywordEngine(dir, { partial, early });
  return {
    position: () => engine.position(),
    reset: () => engine.reset(),
    upsert: (docs: readonly KeywordDoc[]) => engine.upsert(docs),
    remove: (articleIds: readonly number[]) => engine.remove(articleIds),
    advance: (to: LogPosition) => engine.advance(to),
    complete: () => engine.complete(),
    save: () => engine.save(),
    search: (query: KeywordQuery) => engine.search(query),
    allowed: ({ query, articleIds }: { query: Omit<KeywordQuery, "limit">; articleIds: readonly number[] }) =>
      engine.allowed(query, articleIds),
    reading: (query: ReadableQuery) => engine.reading(query),
    supports: ({ query, articleIds }: { query: ReadableQuery; articleIds: readonly number[] }) =>
      engine.supports(query, articleIds),
    lackingBegun: ({ query, articleIds }: { query: ReadableQuery; articleIds: readonly number[] }) =>
      engine.lackingBegun(query, articleIds),
    suggest: (query: SuggestQuery) => engine.suggest(query),
    survey: (query: SurveyQuery) => engine.survey(query),
    ids: ({ afterId, limit }: { afterId: number; limit: number }) => engine.ids(afterId, limit),
    count: () => engine.count(),
    status: () => engine.status(),
    setTier: ({ sourceId, tier }: { sourceId: string; tier: number }) => engine.setTier(sourceId, tier),
    close: () => engine.close(),
  };
}
