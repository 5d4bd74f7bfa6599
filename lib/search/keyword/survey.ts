import { Histogram, zoneOf } from "../calendar.ts";
import { at } from "../../std/mod.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import { documentsOf, type Segment } from "./postings.ts";
import { markHolding } from "./condition.ts";
import type { Projection } from "./projection.ts";
import { planned } from "./search.ts";
import type { FacetCount, Survey, SurveyFacet, SurveyQuery } from "./types.ts";
import type { TermNumbers } from "./words.ts";

/** Bounds the stretches of a histogram. */
const MAX_BUCKETS = 10_000;

const DEFAULT_FACET_LIMIT = 20;

/** Surveys the hits of a query: without text all that its filters and condition leave. */
export function survey(projection: Projection, numbers: TermNumbers, query: SurveyQuery): Survey {
  const masks = hitsOf(projection, numbers, query);
  const { facets = [], facetLimit = DEFAULT_FACET_LIMIT, histogram, list } = query;
  let total = 0;
  for (const mask of masks) for (let doc = 0; doc < mask.length; doc++) total += mask[doc] ?? 0;
  return {
    total,
    facets: Object.fromEntries(facets.map((name) => [name, counted(projection, masks, name, facetLimit)])),
    histogram: histogram && histogramOf(projection, masks, histogram),
    keys: list === undefined ? new Float64Array(0) : keysOf(projection, masks, list),
    last: projection.segments.reduce(
      (last, { byId, forward }) => Math.max(last, forward.ids[byId.at(-1) ?? 0] ?? 0),
      0,
    ),
    lacking: [],
  };
}

/** Returns 1 for each document of each segment that is a hit. */
function hitsOf(projection: Projection, numbers: TermNumbers, query: SurveyQuery): Uint8Array[] {
  const { also = [], alone = false } = query;
  const masks = alone
    ? projection.segments.map(({ live }) => new Uint8Array(live.length))
    : matchesOf(projection, numbers, query);
  const ascending = also.toSorted((a, b) => a - b);
  if (ascending.length === 0) return masks;
  return masks.map((mask, place) => {
    const segment = at(projection.segments, place);
    const marks = mask.slice();
    for (const doc of documentsOf(segment, ascending)) marks[doc] = segment.live[doc] ?? 0;
    return marks;
  });
}

/** Holds the matches of the last queries of an index, as long as nothing changes in it. */
type Cached = { changes: number; segments: readonly Segment[]; matches: Map<string, Uint8Array[]> };
const cached = new WeakMap<Projection, Cached>();
const MAX_CACHED = 16;

/** Returns the documents that hold something of a query and are allowed. Not to be changed. */
function matchesOf(projection: Projection, numbers: TermNumbers, query: SurveyQuery): Uint8Array[] {
  const { text, lang, fields, filters, term, condition, typos, prefix } = query;
  // A long list of articles takes longer to compare than to look up.
  if (filters?.articleIds !== undefined || condition !== undefined) return compute(projection, numbers, query);
  let known = cached.get(projection);
  if (known?.changes !== projection.changes || known.segments !== projection.segments) {
    known = { changes: projection.changes, segments: projection.segments, matches: new Map() };
    cached.set(projection, known);
  }
  const key = JSON.stringify({ text, lang, fields, filters, term, typos, prefix });
  const existing = known.matches.get(key);
  if (existing !== undefined) return existing;
  const matches = compute(projection, numbers, query);
  const [oldest] = known.matches.keys();
  if (known.matches.size >= MAX_CACHED && oldest !== undefined) known.matches.delete(oldest);
  known.matches.set(key, matches);
  return matches;
}

function compute(projection: Projection, numbers: TermNumbers, query: SurveyQuery): Uint8Array[] {
  const { weighted, parts, allowed } = planned(projection, numbers, query);
  if (query.text === "") return projection.segments.map(({ live }, place) => allowed[place] ?? live.slice());
  const masks = projection.segments.map((segment) => {
    const marks = new Uint8Array(segment.live.length);
    const all = { segment, from: 0, to: marks.length };
    for (const { term, frequencies } of weighted.terms) markHolding(marks, term, all, frequencies);
    return marks;
  });
  for (const { place, groups, ...range } of parts) {
    for (const { terms, frequencies } of groups) {
      for (const { term } of terms) markHolding(at(masks, place), term, range, frequencies);
    }
  }
  for (const [place, marks] of masks.entries()) {
    const mask = allowed[place];
    if (mask !== undefined)
      for (let doc = 0; doc < marks.length; doc++) marks[doc] = (marks[doc] ?? 0) & (mask[doc] ?? 0);
  }
  return masks;
}

const COLUMNS = { source: "sourceId", category: "categoryId", lang: "lang", domain: "domain" } as const;

/** Returns the values that most hits have, and how many do; equal ones by value. */
function counted(
  { segments }: Projection,
  masks: readonly Uint8Array[],
  name: SurveyFacet,
  limit: number,
): FacetCount[] {
  const totals = new Map<string, number>();
  for (const [place, mask] of masks.entries()) {
    const { forward } = at(segments, place);
    const { words, counts } = name === "author" ? countLists(forward, mask) : countTexts(forward, mask, COLUMNS[name]);
    for (const [i, word] of words.entries()) {
      const count = counts[i + 1] ?? 0;
      if (count > 0) totals.set(word, (totals.get(word) ?? 0) + count);
    }
  }
  return Array.from(totals, ([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}

type Counts = { words: readonly string[]; counts: Uint32Array };

function countTexts(
  { columns, count }: Segment["forward"],
  mask: Uint8Array,
  field: (typeof COLUMNS)[keyof typeof COLUMNS],
): Counts {
  const { values, words } = at(columns, ARTICLE_FIELDS.indexOf(field)).data(count);
  const counts = new Uint32Array(words.length + 1);
  for (let doc = 0; doc < mask.length; doc++) {
    if (mask[doc] === 0) continue;
    const code = values[doc] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return { words, counts };
}

function countLists({ authors }: Segment["forward"], mask: Uint8Array): Counts {
  const words = authors.texts();
  const counts = new Uint32Array(words.length + 1);
  if (words.length === 0) return { words, counts };
  for (let doc = 0; doc < mask.length; doc++) {
    if (mask[doc] === 0) continue;
    for (const code of authors.codesOf(doc)) counts[code] = (counts[code] ?? 0) + 1;
  }
  return { words, counts };
}

function histogramOf(
  { segments }: Projection,
  masks: readonly Uint8Array[],
  { unit, zone }: NonNullable<SurveyQuery["histogram"]>,
): Survey["histogram"] {
  const histogram = new Histogram(unit, zoneOf(zone));
  for (const [place, mask] of masks.entries()) {
    const segment = at(segments, place);
    const { times } = segment.forward;
    for (const doc of inTime(segment)) if (mask[doc] === 1) histogram.add(times[doc] ?? 0);
    if (histogram.size > MAX_BUCKETS) return undefined;
  }
  return histogram.buckets();
}

/** Holds the documents of segments in the order of time, then of ids: segments do not change. */
const chronology = new WeakMap<Segment, Uint16Array>();

function inTime(segment: Segment): Uint16Array {
  const known = chronology.get(segment);
  if (known !== undefined) return known;
  const { times, ids } = segment.forward;
  const docs = Uint16Array.from({ length: times.length }, (_, doc) => doc);
  docs.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0));
  chronology.set(segment, docs);
  return docs;
}

/** Holds where the hits of a segment are read from: the next one's time and id. */
type Reader = { segment: Segment; mask: Uint8Array; docs: Uint16Array; next: number; time: number; id: number };

/** Returns the keys of hits in the order of time, equal ones by id, from place `from` on. */
function keysOf(
  { segments }: Projection,
  masks: readonly Uint8Array[],
  { order, from, limit }: NonNullable<SurveyQuery["list"]>,
): Float64Array {
  const keys: number[] = [];
  if (order === "any") {
    for (const [place, mask] of masks.entries()) {
      const { ids } = at(segments, place).forward;
      for (let doc = 0; doc < mask.length; doc++) if (mask[doc] === 1) keys.push(ids[doc] ?? 0);
    }
    return Float64Array.from(keys.slice(from, from + limit));
  }
  const sign = order === "newest" ? -1 : 1;
  const readers = masks.map((mask, place): Reader => {
    const segment = at(segments, place);
    const docs = inTime(segment);
    return { segment, mask, docs, next: order === "newest" ? docs.length : -1, time: 0, id: 0 };
  });
  let left = readers.filter((reader) => advance(reader, sign));
  for (let place = 0; place < from + limit && left.length > 0; place++) {
    let first = at(left, 0);
    for (const reader of left) {
      if (sign * (reader.time - first.time || reader.id - first.id) < 0) first = reader;
    }
    if (place >= from) keys.push(first.id);
    if (!advance(first, sign)) left = left.filter((reader) => reader !== first);
  }
  return Float64Array.from(keys);
}

/** Moves on to the next hit; false where there is none. */
function advance(reader: Reader, sign: number): boolean {
  const { mask, docs, segment } = reader;
  for (let i = reader.next + sign; i >= 0 && i < docs.length; i += sign) {
    const doc = docs[i] ?? 0;
    if (mask[doc] === 0) continue;
    reader.next = i;
    reader.time = segment.forward.times[doc] ?? 0;
    reader.id = segment.forward.ids[doc] ?? 0;
    return true;
  }
  return false;
}
