import { nearestName } from "@isnad/lib/std";
import { z } from "@isnad/lib/service/http";

/** What the schema file says of a field, in both languages of the platform. */
export type Words = { en: string; ar: string };

/** Gives a schema its description, English line first. */
export function described<S extends z.ZodType>(schema: S, { en, ar }: Words): S {
  return schema.meta({ description: `${en}\n${ar}` });
}

/** An object without other keys than those of `shape`; an unknown one is refused with the nearest known name. */
export function section<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return issue.keys.map((key) => unknownKey(key, fields)).join("; ");
    },
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  const hint = nearest === undefined ? `the known ones are ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `there is no field "${key}" here: ${hint}`;
}
