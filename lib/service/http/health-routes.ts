import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type HttpEnv, note } from "./context.ts";
import { operationId } from "./operation-id.ts";
import { type Component, createHealth, type Dependency, type DependencyGroup, Health } from "./health.ts";

/**
 * Adds `/livez`, which touches no dependency, the health body at every path of `healthPaths`, and `/readyz`, by which
 * balancers know whom to send requests to.
 */
export function addHealth(
  app: OpenAPIHono<HttpEnv>,
  opts: {
    name: string;
    version: string;
    deps: Record<string, Dependency>;
    depGroups?: Record<string, DependencyGroup>;
    components?: () => Record<string, Component>;
    healthPaths?: readonly string[];
  },
): void {
  app.openapi(liveness(opts.name), (c) => c.json({ status: "ok" as const }, 200));
  const check = createHealth({
    service: opts.name,
    version: opts.version,
    deps: opts.deps,
    groups: opts.depGroups,
    components: opts.components,
  });
  app.openapi(readiness(opts.name), async (c) => {
    if (isStopping(c.env)) return c.json({ status: "stopping" as const }, 503);
    const { ready, body, failures } = await check();
    if (ready) return c.json({ status: "ready" as const }, 200);
    note(c, { failures });
    const { deps, reasons } = body;
    return c.json({ status: "failing" as const, deps, ...(reasons !== undefined && { reasons }) }, 503);
  });
  for (const [i, path] of (opts.healthPaths ?? ["/health"]).entries()) {
    app.openapi(health(path, operationId(i === 0 ? "get" : "check", opts.name, "health")), async (c) => {
      const { status, body, failures } = await check();
      if (body.status !== "ok") note(c, { failures });
      return c.json(body, status);
    });
  }
}

const NotReady = z.object({
  status: z.enum(["stopping", "failing"]),
  deps: Health.shape.deps.optional(),
  reasons: Health.shape.reasons,
});

const liveness = (service: string) =>
  createRoute({
    method: "get",
    path: "/livez",
    operationId: operationId("get", service, "liveness"),
    tags: ["operations"],
    summary: "Whether the process answers; touches no dependency",
    responses: {
      200: {
        description: "The process answers.",
        content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } },
      },
    },
  });

const readiness = (service: string) =>
  createRoute({
    method: "get",
    path: "/readyz",
    operationId: operationId("get", service, "readiness"),
    tags: ["operations"],
    summary: "Whether requests may be sent here",
    responses: {
      200: {
        description: "They may.",
        content: { "application/json": { schema: z.object({ status: z.literal("ready") }) } },
      },
      503: {
        description:
          "The service is about to stop, or lacks what some of its routes need: the database, its readiness to write, disk, an index. `deps` says which.",
        content: { "application/json": { schema: NotReady } },
      },
    },
  });

/** What `listen` hands over beside the request tells. */
function isStopping(env: unknown): boolean {
  if (typeof env !== "object" || env === null || !("stopping" in env)) return false;
  return typeof env.stopping === "function" && env.stopping() === true;
}

const health = (path: string, id: string) =>
  createRoute({
    method: "get",
    path,
    operationId: id,
    tags: ["operations"],
    summary: "Health of the service and of each dependency",
    responses: {
      200: {
        description: "Requests are served; `degraded` when a dependency fails that not every request needs.",
        content: { "application/json": { schema: Health } },
      },
      503: {
        description: "A dependency fails without which no request can be served.",
        content: { "application/json": { schema: Health } },
      },
    },
  });
