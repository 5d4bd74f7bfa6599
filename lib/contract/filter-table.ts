import { LIMITS } from "./fields.ts";

/** The values that a filter takes: texts, or numbers (times are milliseconds since 1970). */
export type FilterType =
  | { is: "choice"; values: readonly [string, ...string[]] }
  | { is: "name"; max: number }
  | { is: "host" }
  | { is: "whole"; min: number; max: number }
  | { is: "time"; endOfDay?: boolean };

/**
 * Describes how a value that a document has is compared with the one that is asked for; `within`: a host or one of its
 * subdomains.
 */
export type FilterKind = "equals" | "within" | "atLeast" | "atMost";

/** A filter of a search, by what it looks at. */
export type Filter = {
  /** The field of an article, or of its source where `of` says so. */
  field: string;
  of?: "source";
  kind: FilterKind;
  type: FilterType;
  /** The name of the field in `filters.term`, where it is another one than the filter's. */
  term?: string;
  description?: string;
};

/**
 * The filters of a search by their names. The parameters of both routes, the columns and conditions of the keyword
 * index, the columns of the vector index and of its snapshot, and what is read of an article to fill them all follow
 * from this table. A field of an article must be one of the store's. The threads of both indexes load this, and no
 * schemas, which take 12 MB in each.
 */
export const FILTERS = {
  lang: { field: "lang", kind: "equals", type: { is: "choice", values: ["ar", "en"] } },
  source: {
    field: "sourceId",
    kind: "equals",
    type: { is: "name", max: LIMITS.sourceId },
    term: "source_id",
    description: "source_id of the articles",
  },
  category: {
    field: "categoryId",
    kind: "equals",
    type: { is: "name", max: LIMITS.category },
    description:
      "id of a category. The set is open, as the operator may have another taxonomy: one that no article has finds nothing",
  },
  domain: { field: "domain", kind: "within", type: { is: "host" }, description: "a host; its subdomains match too" },
  source_tier: { field: "tier", of: "source", kind: "equals", type: { is: "whole", min: 1, max: 3 } },
  from: { field: "publishedAt", kind: "atLeast", type: { is: "time" } },
  to: { field: "publishedAt", kind: "atMost", type: { is: "time", endOfDay: true } },
} as const satisfies Record<string, Filter>;

type Table = typeof FILTERS;
export type FilterName = keyof Table;
type ValueOf<T extends FilterType> = T["is"] extends "whole" | "time" ? number : string;

/**
 * Describes what a search is narrowed to; every filter that is given must hold. `articleIds`: to these articles,
 * ascending; what a search asks for by the name of an entity becomes this.
 */
export type Filters = { [N in FilterName]?: ValueOf<Table[N]["type"]> | undefined } & {
  articleIds?: readonly number[] | undefined;
};

/** The fields of a source that filters look at. */
export type SourceField = Extract<Table[FilterName], { of: "source" }>["field"];

/** The fields of an article that filters look at. */
export type ArticleFilterField = Exclude<Table[FilterName]["field"], SourceField>;

/** Every filter's name, in the order of the table. */
export const FILTER_NAMES = Object.keys(FILTERS).filter((name): name is FilterName => name in FILTERS);

/** The filters among the parameters of a request. */
export function filtersOf(params: Filters): Filters {
  const filters: Filters = {};
  const take = <N extends FilterName>(name: N): void => {
    if (params[name] !== undefined) filters[name] = params[name];
  };
  FILTER_NAMES.forEach(take);
  return filters;
}

/** A filter that a search asks for, with the value that it wants. */
type GivenFilter = { filter: Table[FilterName]; wanted: string | number };

/** The filters that are set. */
export function givenFilters(filters: Filters): GivenFilter[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [{ filter: FILTERS[name], wanted: value }];
  });
}

/** The fields of an article that filters look at, each once, and what their values are. */
export const ARTICLE_FILTER_FIELDS: ReadonlyMap<ArticleFilterField, FilterType> = new Map(
  Object.values(FILTERS).flatMap((filter) => ("of" in filter ? [] : [[filter.field, filter.type]])),
);

/** Tells whether the values are numbers. */
export function isNumeric({ is }: FilterType): boolean {
  return is === "whole" || is === "time";
}

/** Pairs of filters that bound the same field from below and from above. */
const RANGES: readonly { least: FilterName; most: FilterName }[] = FILTER_NAMES.flatMap((least) =>
  FILTER_NAMES.filter(
    (most) =>
      FILTERS[least].kind === "atLeast" &&
      FILTERS[most].kind === "atMost" &&
      FILTERS[least].field === FILTERS[most].field,
  ).map((most) => ({ least, most })),
);

/** The first rule about two filters that is broken, in words; undefined when all hold. */
export function brokenRange(filters: Filters): string | undefined {
  const broken = RANGES.find(({ least, most }) => Number(filters[least]) > Number(filters[most]));
  return broken && `${broken.least} must not be after ${broken.most}`;
}
