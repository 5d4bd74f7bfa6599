import { z } from "@hono/zod-openapi";
import { nameField } from "./fields.ts";
import { hostField } from "./filter-params.ts";
import { LIMITS } from "./limits.ts";

/** Values of one list, at most. */
const MOST = 100;

/** What a filter of chunks may say of a field: a value, any of some, or comparisons that must all hold. */
function filterOf<T extends z.ZodType<string | number>>(value: T) {
  const list = z.array(value).min(1).max(MOST);
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

/** The filters of `POST /rag/query` by their keys. */
export const ChunkFilters = z
  .strictObject({
    published_at_bucket: filterOf(bucket),
    lang: filterOf(nameField({ max: 16 })),
    source: filterOf(nameField({ max: LIMITS.sourceId })),
    category: filterOf(nameField({ max: LIMITS.category })),
    domain: filterOf(hostField()),
    article_id: filterOf(articleId),
  })
  .partial()
  .openapi("ChunkFilters", {
    description:
      "Each must hold. A value must be equal, a list must hold it; `$gte`, `$lte`, `$gt`, `$lt`, `$ne`, `$in` compare. `domain` takes in subdomains; " +
      "what an article does not have passes `$ne` alone.",
  });
export type ChunkFilters = z.output<typeof ChunkFilters>;

/** A field that filters of chunks look at. */
export type ChunkField = keyof ChunkFilters;

const CHUNK_FIELDS = ChunkFilters.keyof().options;

/** A comparison of a field with values; `in` and `notIn` with any of them, the others with the only one. */
export type ChunkCondition = {
  field: ChunkField;
  is: "in" | "notIn" | "gte" | "lte" | "gt" | "lt";
  values: readonly (string | number)[];
};

/** The conditions that filters stand for; every one must hold. */
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
