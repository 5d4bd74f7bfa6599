import { z } from "@hono/zod-openapi";
import { asciiHost } from "../text/mod.ts";
import { nameField, timeParam, wholeText } from "./fields.ts";
import { FILTER_NAMES, FILTERS, type Filter, type FilterName, type Filters, type FilterType } from "./filters.ts";

/** Where a parameter stands: in a query string, where all is text, or in a JSON body. */
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
