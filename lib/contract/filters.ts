import { z } from "@hono/zod-openapi";
import { asciiHost } from "../text/mod.ts";
import { LIMITS, nameField, timeParam, wholeText } from "./fields.ts";

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

/** Describes where a parameter stands: in a query string, where all is text, or in a JSON body. */
type Place = "query" | "body";

type FilterShape = { [N in FilterName]: z.ZodOptional<z.ZodType<NonNullable<Filters[N]>>> };

/** The parameter of every filter, for a `z.object`: none is required. */
export function filterParams(place: Place): FilterShape {
  const shape = Object.fromEntries(
    FILTER_NAMES.map((name) => {
      const { type, description }: Filter = FILTERS[name];
      const schema = schemaOf(type, place).optional();
      return [name, description === undefined ? schema : schema.openapi({ description })];
    }),
  );
  if (!isComplete(shape)) throw new TypeError("a filter has no parameter");
  return shape;
}

function isComplete(shape: object): shape is FilterShape {
  return FILTER_NAMES.every((name) => name in shape);
}

function schemaOf(type: FilterType, place: Place) {
  switch (type.is) {
    case "choice":
      return z.enum(type.values);
    case "name":
      return nameField({ max: type.max });
    case "host":
      return hostField();
    case "whole":
      return place === "query" ? wholeText(type) : z.int().min(type.min).max(type.max);
    case "time":
      return timeParam(type);
  }
}

/** A host name in any spelling, as {@link asciiHost} gives it. */
export function hostField() {
  return z
    .string()
    .max(255)
    .transform((text, ctx) => {
      const host = asciiHost(text);
      if (host !== undefined) return host;
      ctx.addIssue({ code: "custom", message: "must be the name of a host" });
      return z.NEVER;
    })
    .openapi({ type: "string", format: "idn-hostname", minLength: 1, maxLength: 255 });
}

/** Bounds the values of one list. */
const MAX_VALUES = 100;

/** Makes the filter of a field of chunks: a value, any of some, or comparisons that must all hold. */
function filterOf<T extends z.ZodType<string | number>>(value: T) {
  const list = z.array(value).min(1).max(MAX_VALUES);
  const comparisons = z
    .strictObject({ $gte: value, $lte: value, $gt: value, $lt: value, $ne: value, $in: list })
    .partial()
    .refine((given) => Object.values(given).some((each) => each !== undefined), {
      error: "must have one of $gte, $lte, $gt, $lt, $ne, $in",
    })
    .openapi({ minProperties: 1 });
  return z.union([value, list, comparisons]);
}

const bucket = z
  .int()
  .refine((value) => value >= 101 && value <= 999_912 && value % 100 >= 1 && value % 100 <= 12, {
    error: "must be a month as YYYYMM",
  })
  .openapi({ minimum: 101, maximum: 999_912, description: "a month as YYYYMM", example: 202405 });

const articleId = z.union([
  z.uuid({ error: "must be a uuid or an article number" }),
  z.int().min(1).openapi({ maximum: Number.MAX_SAFE_INTEGER }),
]);

/** Bounds the stories of one list: each may hold many articles. */
const MAX_STORIES = 10;

const storyId = z.int().min(1).openapi({ maximum: Number.MAX_SAFE_INTEGER });

/** The filters of `POST /rag/query` by their keys. */
export const ChunkFilters = z
  .strictObject({
    published_at_bucket: filterOf(bucket),
    lang: filterOf(z.enum(FILTERS.lang.type.values)),
    source: filterOf(nameField({ max: LIMITS.sourceId })),
    category: filterOf(nameField({ max: LIMITS.category })),
    domain: filterOf(hostField()),
    article_id: filterOf(articleId),
    story_id: z
      .union([storyId, z.array(storyId).min(1).max(MAX_STORIES)])
      .openapi({ description: "of each story its newest 50,000 articles" }),
  })
  .partial()
  .openapi("ChunkFilters", {
    description:
      "Each must hold. A value must be equal, a list must hold it; `$gte`, `$lte`, `$gt`, `$lt`, `$ne`, `$in` compare. `domain` takes in subdomains; " +
      "what an article does not have passes `$ne` alone.",
  });
export type ChunkFilters = z.output<typeof ChunkFilters>;

/** A field of chunks that filters look at. A story is none: it stands for its articles. */
export type ChunkField = Exclude<keyof ChunkFilters, "story_id">;

/** Every such field. */
export const CHUNK_FIELDS = ChunkFilters.keyof().exclude(["story_id"]).options;

/** A comparison of a field with values; `in` and `notIn` with any of them, the others with the only one. */
export type ChunkCondition = {
  field: ChunkField;
  is: "in" | "notIn" | "gte" | "lte" | "gt" | "lt";
  values: readonly (string | number)[];
};

/** The conditions that filters other than the story stand for; every one must hold. */
export function chunkConditions(filters: ChunkFilters): ChunkCondition[] {
  return Object.entries(filters).flatMap(([name, given]) => {
    const field = CHUNK_FIELDS.find((known) => known === name);
    if (field === undefined || given === undefined) return [];
    if (typeof given === "string" || typeof given === "number") return [{ field, is: "in", values: [given] }];
    if (Array.isArray(given)) return [{ field, is: "in", values: given }];
    const conditions: (ChunkCondition | undefined)[] = [
      given.$in && { field, is: "in", values: given.$in },
      condition(field, "notIn", given.$ne),
      condition(field, "gte", given.$gte),
      condition(field, "lte", given.$lte),
      condition(field, "gt", given.$gt),
      condition(field, "lt", given.$lt),
    ];
    return conditions.filter((each) => each !== undefined);
  });
}

function condition(
  field: ChunkField,
  is: ChunkCondition["is"],
  value: string | number | undefined,
): ChunkCondition | undefined {
  return value === undefined ? undefined : { field, is, values: [value] };
}
