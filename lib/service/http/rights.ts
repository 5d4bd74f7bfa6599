import type { OpenAPIHono } from "@hono/zod-openapi";
import { isObject } from "../../std/mod.ts";
import type { HttpEnv, Right } from "./context.ts";
import { problems } from "./problem.ts";

/** Holds which right each guard asks for. */
const GUARDS = new WeakMap<object, Right>();

/** Notes which right a middleware asks for, and returns it. */
export function guarding<M extends object>(right: Right, middleware: M): M {
  GUARDS.set(middleware, right);
  return middleware;
}

/** Names the member of an operation that says which right it needs; an operation without it is open. */
export const RIGHT_MEMBER = "x-right";

/**
 * Returns the OpenAPI document of an app with what its guards do: the right that each operation needs, and the answers
 * without it (401, 403) and beyond the rate of a key or a client (429), where a route does not describe them itself.
 */
export function withRights(document: object, app: OpenAPIHono<HttpEnv>): object {
  const paths = "paths" in document && isObject(document.paths) ? document.paths : {};
  const schema = { $ref: "#/components/schemas/Problem" };
  const refusals = Object.fromEntries(
    Object.entries(problems("unauthorized", "forbidden", "rate-limit-exceeded")).map(([status, { description }]) => [
      status,
      { description, content: { "application/problem+json": { schema } } },
    ]),
  );
  const guarded = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(isObject(item) ? item : {}).map(([method, operation]) => {
      const right = rightOf(app, method, path);
      if (right === undefined || !isObject(operation)) return [method, operation];
      const responses = { ...refusals, ...(isObject(operation.responses) ? operation.responses : {}) };
      return [method, { ...operation, [RIGHT_MEMBER]: right, responses }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(guarded) };
}

/** Returns the right that a route asks for: by a middleware of its own, or by one of all routes that come after it. */
function rightOf(app: OpenAPIHono<HttpEnv>, method: string, path: string): Right | undefined {
  const ownPath = path.replaceAll(/\{([^{}/]{1,64})\}/g, ":$1");
  const isOwn = (route: { method: string; path: string }): boolean =>
    route.path === ownPath && route.method === method.toUpperCase();
  const last = app.routes.findLastIndex(isOwn);
  const guard = app.routes.find(
    (route, i) => i <= last && GUARDS.has(route.handler) && (isOwn(route) || route.path === "/*"),
  );
  return guard && GUARDS.get(guard.handler);
}
