import type { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** What is said of a value that no option of a union takes, where the schema does not say it itself. */
export const NO_OPTION = "must be of another form";

/**
 * What is wrong with a value, for schemas that do not say it themselves: in the words in which the platform's own rules
 * are written, which follow the name of the field. Undefined leaves it to the schema library.
 */
export function messageOf(issue: Issue): string | undefined {
  const { code, input } = issue;
  if (input === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(code)) return "is required";
  if (code === "invalid_type") return mustBe([issue.expected]);
  if (code === "invalid_union") return NO_OPTION;
  if (code === "invalid_value") return `must be ${listed(issue.values.map(String))}`;
  if (code === "too_small") return `must ${bound(issue.origin, "least", Number(issue.minimum))}`;
  if (code === "too_big") return `must ${bound(issue.origin, "most", Number(issue.maximum))}`;
  if (code === "unrecognized_keys") return `must not have the field ${listed(issue.keys)}`;
  return undefined;
}

/** What a value must be that is of none of these kinds. */
export function mustBe(kinds: readonly string[]): string {
  return `must be ${listed([...new Set(kinds.map((kind) => KINDS[kind] ?? kind))])}`;
}

const COUNTED: Record<string, [one: string, more: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

function bound(origin: string, end: "least" | "most", limit: number): string {
  const counted = COUNTED[origin];
  if (counted === undefined) return `be at ${end} ${limit}`;
  return `have at ${end} ${limit} ${limit === 1 ? counted[0] : counted[1]}`;
}

function listed(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
