import { at } from "@isnad/lib/std";
import { z } from "@isnad/lib/http";

/** What the schema file says of a field, in both languages of the platform. */
export type Words = { en: string; ar: string };

/** Gives a schema its description, English line first. */
export function described<S extends z.ZodType>(schema: S, { en, ar }: Words): S {
  return schema.meta({ description: `${en}\n${ar}` });
}

/** An object without other keys than those of `shape`; an unknown one is refused with the nearest known name. */
export function section<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return issue.keys.map((key) => unknownKey(key, known)).join("; ");
    },
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, edits: editDistance(key.toLowerCase(), name) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits);
  const hint = nearest === undefined ? `the known ones are ${known.join(", ")}` : `did you mean "${nearest.name}"?`;
  return `there is no field "${key}" here: ${hint}`;
}

/** Levenshtein distance, in UTF-16 units (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, b.length);
}
