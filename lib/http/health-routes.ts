import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type HttpEnv, note } from "./context.ts";
import { type Component, createHealth, type Dependency, type DependencyGroup, Health } from "./health.ts";

/** Adds `/livez`, which touches no dependency, and the health body at every path of `healthPaths`. */
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
  app.openapi(liveness, (c) => c.json({ status: "ok" as const }, 200));
  const check = createHealth({
    service: opts.name,
    version: opts.version,
    deps: opts.deps,
    groups: opts.depGroups,
    components: opts.components,
  });
  for (const path of opts.healthPaths ?? ["/health"]) {
    app.openapi(health(path), async (c) => {
      const { status, body, failures } = await check();
      if (body.status !== "ok") note(c, { failures });
      return c.json(body, status);
    });
  }
}

const liveness = createRoute({
  method: "get",
  path: "/livez",
  tags: ["operations"],
  summary: "Whether the process answers; touches no dependency",
  responses: {
    200: {
      description: "The process answers.",
      content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } },
    },
  },
});

const health = (path: string) =>
  createRoute({
    method: "get",
    path,
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
