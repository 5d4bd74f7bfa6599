import { z } from "@hono/zod-openapi";
import { asciiHost } from "../text/mod.ts";
import { LIMITS, nameField, timeParam, wholeText } from "./fields.ts";
import { FILTER_NAMES, FILTERS, type Filter, type FilterName, type Filters, type FilterType } from "./filter-table.ts";

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
