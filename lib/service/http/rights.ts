import type { OpenAPIHono } from "@hono/zod-openapi";
import { isObject } from "../../std/mod.ts";
import type { HttpEnv, Right } from "./context.ts";
import { type ErrorSlug, problems } from "./problem.ts";

/** Holds which right each guard asks for. */
const GUARDS = new WeakMap<object, Right>();

/** Notes which right a middleware asks for, and returns it. */
export function guarding<M extends object>(right: Right, middleware: M): M {
  GUARDS.set(middleware, right);
  return middleware;
}

/** Names the member of an operation that says which right it needs; an operation without it is open. */
export const RIGHT_MEMBER = "x-right";

const PROBLEM = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

function answers(...slugs: ErrorSlug[]): Record<string, unknown> {
  const described = Object.entries(problems(...slugs));
  return Object.fromEntries(described.map(([status, { description }]) => [status, { description, content: PROBLEM }]));
}

/** Holds what is answered before a route itself is asked: by its guard, for its JSON body, and for its parameters. */
const OF_GUARD = answers("unauthorized", "forbidden", "rate-limit-exceeded");
const OF_BODY = answers("malformed-json", "payload-too-large", "unsupported-media-type", "validation-error");
const OF_PARAMETERS = answers("validation-error");

/**
 * Returns the OpenAPI document of an app with what its routes need not say: the right that each operation needs, and
 * what is answered before a route is asked, where it does not describe that itself.
 */
export function withFrame(document: object, app: OpenAPIHono<HttpEnv>): object {
  const paths = "paths" in document && isObject(document.paths) ? document.paths : {};
  const framed = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(isObject(item) ? item : {}).map(([method, operation]) => {
      if (!isObject(operation)) return [method, operation];
      const right = rightOf(app, method, path);
      const responses = {
        ...(right !== undefined && OF_GUARD),
        ...(Array.isArray(operation.parameters) && operation.parameters.length > 0 ? OF_PARAMETERS : {}),
        ...(takesJson(operation) && OF_BODY),
        ...(isObject(operation.responses) ? operation.responses : {}),
      };
      return [method, { ...operation, ...(right !== undefined && { [RIGHT_MEMBER]: right }), responses }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(framed) };
}

function takesJson({ requestBody }: Record<string, unknown>): boolean {
  return isObject(requestBody) && isObject(requestBody.content) && "application/json" in requestBody.content;
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
