import type { OpenAPIHono } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { TrieRouter } from "hono/router/trie-router";
import { z, type ZodError } from "zod";
import { nearestName } from "../../std/mod.ts";
import { isDecodable } from "../../std/text.ts";
import { type HttpContext, type HttpEnv, queryOf } from "./context.ts";
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
  // A text where an array is wanted has no entries to count: its kind is all that is wrong.
  const ofAnotherKind = new Set(
    error.issues.flatMap(({ code, path }) => (code === "invalid_type" ? [path.join()] : [])),
  );
  const issues = error.issues.filter(({ code, path }) => code === "invalid_type" || !ofAnotherKind.has(path.join()));
  for (const { path, message } of issues.flatMap(complaintsOf)) {
    const field = path.length === 0 ? "body" : path.join(".");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return invalidFields(errors);
}

/** Returns the 422 problem for fields that a schema cannot judge; messages by field path. */
export function invalidFields(errors: FieldErrors, options: Pick<AppErrorOptions, "cause"> = {}): AppError {
  return new AppError("validation-error", "One or more fields contain invalid values.", { ...options, errors });
}

type Complaint = Pick<Issue, "path" | "message">;

/**
 * Returns the complaints that an issue stands for: those about a name, and about the option of a union that was meant.
 */
function complaintsOf(issue: Issue): Complaint[] {
  const { path } = issue;
  if (issue.code === "invalid_key")
    return issue.issues.map(({ message }) => ({ path, message: `its name ${message}` }));
  if (issue.code !== "invalid_union" || issue.errors.length === 0 || issue.message !== NO_OPTION) return [issue];
  const possible = issue.errors.filter((option) => !option.some(isOfAnotherKind));
  // One of a set of values complains of anything as a whole; an option that looked into the value was meant before it.
  const meant = possible.find((option) => option.every((inner) => inner.path.length > 0)) ?? possible[0];
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

/** Parameters that one answer complains of, and characters of a name that it repeats; both at most. */
const MAX_COMPLAINTS = 20;
const MAX_NAME_LENGTH = 100;

/**
 * Refuses (422) query parameters that are no percent-encoded UTF-8 (readers differ in what they make of such), and
 * those that the route's schema does not have, with the nearest name that it has. A documented route without a schema
 * takes none; of a route that no document has, nobody knows what it takes.
 */
export function requireKnownQuery(app: OpenAPIHono<HttpEnv>) {
  let namesOf: ((method: string, path: string) => readonly string[] | undefined) | undefined;
  return createMiddleware<HttpEnv>(async function requireKnownQuery(c, next) {
    if (c.req.url.includes("?")) {
      refuseBroken(c.req.url);
      namesOf ??= queryNames(app);
      refuseUnknown(c, namesOf(c.req.method, c.req.path));
    }
    await next();
  });
}

function refuseBroken(url: string): void {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? "";
  if (!query.includes("%") || isDecodable(query)) return;
  const parts = query.split("&").filter((part) => !isDecodable(part));
  throw invalidFields(
    Object.fromEntries(parts.map((part) => [part.split("=", 1)[0], ["must be percent-encoded UTF-8"]])),
  );
}

/** Does nothing where `known` is undefined: there is no such route. */
function refuseUnknown(c: HttpContext, known: readonly string[] | undefined): void {
  if (known === undefined) return;
  const unknown = [...new Set(queryOf(c).keys())].filter((name) => name !== "" && !known.includes(name));
  if (unknown.length === 0) return;
  const errors: FieldErrors = {};
  for (const name of unknown.slice(0, MAX_COMPLAINTS))
    errors[name.slice(0, MAX_NAME_LENGTH)] = [complaint(name, known)];
  throw invalidFields(errors);
}

function complaint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `is no parameter of this route; did you mean ${nearest}?`;
  return `is no parameter of this route, which takes ${known.length === 0 ? "none" : known.join(", ")}`;
}

/** Returns the names of the query parameters of a route by method and path, as the routes' schemas say. */
function queryNames(app: OpenAPIHono<HttpEnv>): (method: string, path: string) => readonly string[] | undefined {
  const documented = new Map(
    app.openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== "route") return [];
      const { method, path, request } = definition.route;
      const place = `${method.toUpperCase()} ${path.replaceAll(/\/\{([^}]+)\}/g, "/:$1")}`;
      return [[place, namesIn(request?.query)] as const];
    }),
  );
  const router = new TrieRouter<readonly string[]>();
  for (const { method, path } of app.routes) {
    const names = documented.get(`${method} ${path}`);
    if (names !== undefined) router.add(method, path, names);
  }
  return (method, path) => router.match(method === "HEAD" ? "GET" : method, path)[0][0]?.[0];
}

/** Returns the names that an object schema has. @throws TypeError for a schema of another kind */
function namesIn(schema: unknown): readonly string[] {
  if (schema === undefined) return [];
  const shape: unknown = typeof schema === "object" && schema !== null && "shape" in schema ? schema.shape : undefined;
  if (typeof shape !== "object" || shape === null) throw new TypeError("the query of a route has no object schema");
  return Object.keys(shape);
}

/**
 * Returns the 422 problem for a query string that breaks its schema; of a parameter that is given twice it says that,
 * whatever its rule is.
 */
export function queryError(c: HttpContext, error: Pick<ZodError, "issues">) {
  const given = c.req.queries();
  const twice = error.issues.map(({ path }) => String(path[0])).filter((name) => (given[name]?.length ?? 0) > 1);
  const rules = validationError(error).errors;
  return invalidFields({ ...rules, ...Object.fromEntries(twice.map((name) => [name, ["must be given once"]])) });
}

/**
 * Returns a page of a list and the cursor of the next one, null behind the last. `rows` are up to one more than
 * `limit`: that one says that there is more.
 */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { page: T[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next_cursor: last === undefined ? null : cursorOf(last) };
}
