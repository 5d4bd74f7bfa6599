import type { z } from "@hono/zod-openapi";

/** Holds which fields of a body may be left out, which may be null, and which take anything, by their paths. */
type LooseFields = { optional: string[]; nullable: string[]; any: string[] };

/** Stands for a value that no field takes which says of what type it is. */
const NOTHING_OF_A_TYPE = Symbol("nothing");

/**
 * Returns what a schema leaves open of an example that has every field: each field is left out, made null, and made
 * nothing of any type, one at a time. Of an array the first entry is looked at. Throws for an example that it refuses.
 */
export function looseFields(schema: z.ZodType, example: object): LooseFields {
  const loose: LooseFields = { optional: [], nullable: [], any: [] };
  schema.parse(example);
  /** `wrap` puts a value in the place of the one at `path`. */
  const look = (value: object, path: string, wrap: (value: unknown) => unknown): void => {
    for (const [name, child] of Object.entries(value)) {
      const isEntry = Array.isArray(value);
      if (isEntry && name !== "0") continue;
      const at = isEntry ? `${path}[]` : path === "" ? name : `${path}.${name}`;
      const put = (changed: unknown) => wrap(isEntry ? [changed] : { ...value, [name]: changed });
      const { [name]: _, ...rest } = Object(value);
      const isTaken = (changed: unknown): boolean => schema.safeParse(changed).success;
      if (!isEntry && isTaken(wrap(rest))) loose.optional.push(at);
      if (isTaken(put(null))) loose.nullable.push(at);
      if (isTaken(put(NOTHING_OF_A_TYPE))) loose.any.push(at);
      if (typeof child === "object" && child !== null) look(child, at, put);
    }
  };
  look(example, "", (value) => value);
  return loose;
}
