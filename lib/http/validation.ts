import { type ZodError, z } from "zod";
import { AppError, type AppErrorOptions, type FieldErrors } from "./app-error.ts";
import { messageOf } from "./messages.ts";

z.config({ customError: messageOf });

/** Turns a schema's complaints into a 422 problem that names every field. */
export function validationError(error: Pick<ZodError, "issues">): AppError {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? "body" : issue.path.join(".");
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return invalidFields(errors);
}

/** The 422 problem for fields that a schema cannot judge; messages by field path. */
export function invalidFields(errors: FieldErrors, options: Pick<AppErrorOptions, "cause"> = {}): AppError {
  return new AppError("validation-error", "One or more fields contain invalid values.", { ...options, errors });
}
