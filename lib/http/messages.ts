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

/**
 * What is wrong with a value, for schemas that do not say it themselves: in the words in which the platform's own rules
 * are written, which follow the name of the field. Undefined leaves it to the schema library.
 */
export function messageOf(issue: Issue): string | undefined {
  const { code, input } = issue;
  if (input === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(code)) return "is required";
  if (code === "invalid_type") return `must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (code === "invalid_value") return `must be ${listed(issue.values.map(String))}`;
  const isNumber = (origin: string): boolean => ["number", "int"].includes(origin);
  if (code === "too_small" && isNumber(issue.origin)) return `must be at least ${issue.minimum}`;
  if (code === "too_big" && isNumber(issue.origin)) return `must be at most ${issue.maximum}`;
  return undefined;
}

function listed(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
