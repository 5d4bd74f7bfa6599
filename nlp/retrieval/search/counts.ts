import type { SearchBody, SearchFacet, SearchParams } from "@isnad/lib/contract";
import { zoneOf } from "@isnad/lib/search";
import { AppError } from "@isnad/lib/service/http";
import { articleIdOfKey, type Store } from "@isnad/lib/store";
import type { RetrievalDeps } from "../deps.ts";
import type { Hits } from "./hits.ts";

/** Knows the names of what is counted. */
export type CountStore = { hits: Pick<Store["hits"], "entities" | "sourceNames"> } & Pick<
  RetrievalDeps["store"],
  "stories"
>;

type Counts = Pick<SearchBody, "facets" | "histogram"> & { lacking: string[] };
type Facet = NonNullable<NonNullable<SearchBody["facets"]>[SearchFacet]>;

/**
 * Returns the facets and the histogram that a search asks for, with names; `lacking`: what could not be counted. Throws
 * an AppError (422) for a histogram of too many stretches.
 */
export async function countsOf(store: CountStore, params: SearchParams, hits: Hits): Promise<Counts> {
  const { facets: names = [], facet_limit, histogram: unit, tz } = params;
  const { survey } = hits;
  // Without a survey of all hits those beyond the first 1,000 by word are not counted.
  const beyond = hits.isDeep && survey === undefined ? ["total"] : [];
  if (names.length === 0 && unit === undefined) return { lacking: survey?.lacking ?? beyond };
  const none = hits.total === 0;
  const lacking = new Set(
    survey?.lacking ?? (none ? [] : [...beyond, ...names, ...(unit === undefined ? [] : ["histogram"])]),
  );
  // The others are counted of all hits, too.
  if (lacking.has("total")) for (const name of names) lacking.add(name);
  const facets: Partial<Record<SearchFacet, Facet>> = {};
  for (const name of names) {
    if (lacking.has(name)) continue;
    if (name === "story") facets.story = await stories(store, hits, facet_limit);
    else if (name === "entity") facets.entity = await entities(store, hits, facet_limit);
    else facets[name] = [...(survey?.facets[name] ?? [])];
  }
  if (facets.source !== undefined) facets.source = await withNames(store, facets.source);
  const isAsked = unit !== undefined && !lacking.has("histogram");
  if (isAsked && !none && survey?.histogram === undefined) throw tooLong();
  return {
    ...(names.length > 0 && { facets }),
    ...(isAsked && {
      histogram: (survey?.histogram ?? []).map(({ from, count }) => ({ from: zoneOf(tz).iso(from), count })),
    }),
    lacking: [...lacking],
  };
}

function tooLong(): AppError {
  const rule = "would have more than 10,000 stretches: take a longer one, or narrow from and to";
  return new AppError("validation-error", "The histogram is too long.", { errors: { histogram: [rule] } });
}

/** Counts the entities of all hits: they are found after an article is, so only the database has them all. */
async function entities(store: CountStore, hits: Hits, limit: number): Promise<Facet> {
  const keys = await hits.keys();
  const counted = await store.hits.entities(Array.from(keys, articleIdOfKey), limit);
  return counted.map(({ entityId, name, count }) => ({ value: String(entityId), label: name, count }));
}

/** Counts the stories of all hits. */
async function stories(store: CountStore, hits: Hits, limit: number): Promise<Facet> {
  const keys = await hits.keys();
  const counted = await store.stories.count(Array.from(keys, articleIdOfKey), limit);
  return counted.map(({ storyId, title, count }) => ({ value: String(storyId), label: title, count }));
}

/** Time that names of sources are held, and how many, in milliseconds: a search waits for no statement for them. */
const NAMES_MS = 10_000;
const MAX_NAMES = 10_000;

type Names = { at: number; names: Map<string, string | undefined> };
const held = new WeakMap<CountStore["hits"], Names>();

async function withNames({ hits }: CountStore, counts: Facet): Promise<Facet> {
  let known = held.get(hits);
  if (known === undefined || performance.now() - known.at > NAMES_MS || known.names.size > MAX_NAMES) {
    known = { at: performance.now(), names: new Map() };
    held.set(hits, known);
  }
  const { names } = known;
  const unknown = counts.map(({ value }) => value).filter((value) => !names.has(value));
  if (unknown.length > 0) {
    const found = await hits.sourceNames(unknown);
    for (const value of unknown) names.set(value, found.get(value));
  }
  return counts.map((each) => {
    const label = names.get(each.value);
    return label === undefined || label === each.value ? each : { ...each, label };
  });
}
