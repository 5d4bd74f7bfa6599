import type { OpenAPIHono } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { TrieRouter } from "hono/router/trie-router";
import type { ZodError } from "zod";
import { nearestName } from "../../std/mod.ts";
import { isDecodable } from "../../std/text.ts";
import type { HttpContext, HttpEnv } from "./context.ts";
import { queryOf } from "./host.ts";
import type { FieldErrors } from "./problem.ts";
import { invalidFields, validationError } from "./validation.ts";

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

/** The names of the query parameters of a route by method and path, as the routes' schemas say. */
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
 * The 422 problem for a query string that breaks its schema; of a parameter that is given twice it says that, whatever
 * its rule is.
 */
export function queryError(c: HttpContext, error: Pick<ZodError, "issues">) {
  const given = c.req.queries();
  const twice = error.issues.map(({ path }) => String(path[0])).filter((name) => (given[name]?.length ?? 0) > 1);
  const rules = validationError(error).errors;
  return invalidFields({ ...rules, ...Object.fromEntries(twice.map((name) => [name, ["must be given once"]])) });
}
