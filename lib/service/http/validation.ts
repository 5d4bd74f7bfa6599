import { type ZodError, z } from "zod";
import { AppError, type AppErrorOptions, type FieldErrors } from "./app-error.ts";
import { messageOf, mustBe, NO_OPTION } from "./messages.ts";

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

/** Whether a value is no candidate for what complains of it: a text where an array is wanted. */
function isOfAnotherKind({ code, path }: Issue): boolean {
  return code === "invalid_type" && path.length === 0;
}

function kindsOf(option: readonly Issue[]): string[] {
  return option.flatMap((issue) => (issue.code === "invalid_type" && isOfAnotherKind(issue) ? [issue.expected] : []));
}
