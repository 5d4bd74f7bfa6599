import { type Filters, filtersOf, type SearchParams } from "@isnad/lib/contract";
import { type QueryNode, readQuery } from "../../../lib/search/query-language/parse.ts";
import { nameKey } from "@isnad/lib/text";
import { inBoth } from "../documents.ts";
import { WORD } from "../branches.ts";
import type { RetrievalDeps } from "../deps.ts";

/** Says which articles name an entity. */
type NamingStore = Pick<RetrievalDeps["store"], "entities" | "stories">;

/** Articles that name an entity, at most. */
const MAX_NAMING = 50_000;

/**
 * Returns the keys of the articles that name an entity, which is given by its number or by its name in any spelling;
 * undefined where none is asked for.
 */
async function articlesNaming(
  { entities }: Pick<NamingStore, "entities">,
  entity: string | undefined,
): Promise<number[] | undefined> {
  if (entity === undefined) return undefined;
  const id = /^[1-9]\d{0,14}$/.test(entity) ? Number(entity) : undefined;
  return await entities.articlesNaming({ id, key: nameKey(entity) }, { limit: MAX_NAMING });
}

/** Entities that one query can name in `entity:`, each a statement; what names more has no hits. */
const MAX_ENTITIES = 8;

/** A search as it was read: what to rank by, and what every hit must hold. */
export type ReadSearch = {
  text: string;
  /** The query as it was read. */
  normal: string;
  required: QueryNode | undefined;
  condition: QueryNode | undefined;
  filters: Filters;
  /** `words`: ranked by them; `all`: all that is required; `none`: a query that says nothing finds nothing. */
  kind: "words" | "all" | "none";
};

/** Reads the query and looks up the entities that it and the filters name. */
export async function readSearch(
  store: NamingStore,
  params: Pick<SearchParams, "q" | "match" | "entity" | "story"> & Filters,
): Promise<ReadSearch> {
  const { text, normal, required, condition } = readQuery(params.q ?? "", params.match);
  const names = new Set([...entitiesIn(condition)].slice(0, MAX_ENTITIES));
  const [named, told, ...keys] = await Promise.all([
    articlesNaming(store, params.entity),
    params.story === undefined ? undefined : store.stories.keysOf(params.story),
    ...[...names].map((name) => articlesNaming(store, name)),
  ]);
  const naming = new Map([...names].map((name, i) => [name, keys[i] ?? []]));
  const hasWords = WORD.test(text);
  return {
    text: hasWords ? text : "",
    normal,
    required: required && resolved(required, naming),
    condition: condition && resolved(condition, naming),
    filters: { ...filtersOf(params), articleIds: inBoth(named, told) },
    kind: hasWords ? "words" : params.q === undefined || condition !== undefined ? "all" : "none",
  };
}

function* entitiesIn(node: QueryNode | undefined): Generator<string> {
  if (node === undefined) return;
  if (node.is === "field" && node.field === "entity") yield node.text;
  else if (node.is === "not") yield* entitiesIn(node.of);
  else if (node.is === "all" || node.is === "any") for (const each of node.of) yield* entitiesIn(each);
}

/** Returns the condition with the articles that name an entity in its place. */
function resolved(node: QueryNode, naming: ReadonlyMap<string, readonly number[]>): QueryNode {
  switch (node.is) {
    case "field":
      return node.field === "entity" ? { is: "among", keys: naming.get(node.text) ?? [] } : node;
    case "not":
      return { is: "not", of: resolved(node.of, naming) };
    case "all":
    case "any":
      return { is: node.is, of: node.of.map((each) => resolved(each, naming)) };
    default:
      return node;
  }
}
