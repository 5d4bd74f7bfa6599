import type { ZodError } from "zod";
import { isDecodable } from "../std/percent-encoding.ts";
import type { FieldErrors } from "./app-error.ts";
import type { HttpContext } from "./context.ts";
import { invalidFields, validationError } from "./validation.ts";

/**
 * Judges a query string with what its schema says of it. Throws an AppError (422) that names the parameters which are
 * no percent-encoded UTF-8 (readers differ in what they make of such), those given twice, and those that break a rule.
 */
export function requireQuery(c: HttpContext, error: ZodError | undefined): void {
  const broken = brokenParameters(c.req.url);
  if (broken !== undefined) throw invalidFields(broken);
  if (error === undefined) return;
  const given = c.req.queries();
  const twice = error.issues.map(({ path }) => String(path[0])).filter((name) => (given[name]?.length ?? 0) > 1);
  const rules = validationError(error).errors;
  throw invalidFields({ ...rules, ...Object.fromEntries(twice.map((name) => [name, ["must be given once"]])) });
}

function brokenParameters(url: string): FieldErrors | undefined {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? "";
  if (!query.includes("%") || isDecodable(query)) return undefined;
  const parts = query.split("&").filter((part) => !isDecodable(part));
  return Object.fromEntries(parts.map((part) => [part.split("=", 1)[0], ["must be percent-encoded UTF-8"]]));
}
