import { type ZodError, z } from "zod";
import { AppError, type AppErrorOptions, type FieldErrors } from "./problem.ts";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** Holds what is said of a value that no option of a union takes, where the schema does not say it itself. */
const NO_OPTION = "must be of another form";

/**
 * Returns what is wrong with a value, for schemas that do not say it themselves: in the words in which the platform's
 * own rules are written, which follow the name of the field. Undefined leaves it to the schema library.
 */
function messageOf(issue: RawIssue): string | undefined {
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

/** Returns what a value must be that is of none of these kinds. */
function mustBe(kinds: readonly string[]): string {
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

z.config({ customError: messageOf });

type Issue = z.core.$ZodIssue;

/** Turns a schema's complaints into a 422 problem that names every field. */
export function validationError(error: Pick<ZodError, "issues">): AppError {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues.flatMap(complaintsOf)) {
    const field = path.length === 0 ? "body" : path.join(".");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return invalidFields(errors);
}

/** The 422 problem for fields that a schema cannot judge; messages by field path. */
export function invalidFields(errors: FieldErrors, options: Pick<AppErrorOptions, "cause"> = {}): AppError {
  return new AppError("validation-error", "One or more fields contain invalid values.", { ...options, errors });
}

type Complaint = Pick<Issue, "path" | "message">;

/** The complaints that an issue stands for: those about a name, and about the option of a union that was meant. */
function complaintsOf(issue: Issue): Complaint[] {
  const { path } = issue;
  if (issue.code === "invalid_key")
    return issue.issues.map(({ message }) => ({ path, message: `its name ${message}` }));
  if (issue.code !== "invalid_union" || issue.errors.length === 0 || issue.message !== NO_OPTION) return [issue];
  const meant = issue.errors.find((option) => !option.some(isOfAnotherKind));
  if (meant === undefined) return [{ path, message: mustBe(issue.errors.flatMap(kindsOf)) }];
  return meant.flatMap(complaintsOf).map((inner) => ({ path: [...path, ...inner.path], message: inner.message }));
}

/** Tells whether a value is no candidate for what complains of it: a text where an array is wanted. */
function isOfAnotherKind({ code, path }: Issue): boolean {
  return code === "invalid_type" && path.length === 0;
}

function kindsOf(option: readonly Issue[]): string[] {
  return option.flatMap((issue) => (issue.code === "invalid_type" && isOfAnotherKind(issue) ? [issue.expected] : []));
}
