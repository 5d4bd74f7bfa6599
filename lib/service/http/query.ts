import type { ZodError } from "zod";
import type { HttpContext } from "./context.ts";
import { invalidFields, validationError } from "./validation.ts";

/**
 * The 422 problem for a query string that breaks its schema; of a parameter that is given twice it says that, whatever
 * its rule is.
 */
export function queryError(c: HttpContext, error: Pick<ZodError, "issues">) {
  const given = c.req.queries();
  const twice = error.issues.map(({ path }) => String(path[0])).filter((name) => (given[name]?.length ?? 0) > 1);
  const rules = validationError(error).errors;
  return invalidFields({ ...rules, ...Object.fromEntries(twice.map((name) => [name, ["must be given once"]])) });
}
