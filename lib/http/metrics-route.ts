import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Config } from "@isnad/lib/config";
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import { headerToken } from "./auth.ts";
import type { HttpEnv } from "./context.ts";
import { problems } from "./problem.ts";

/** Metrics of other processes, as their registries' `getMetricsAsJSON()` gave them. */
export type MetricsSource = () => Promise<MetricObjectWithValues<MetricValue<string>>[][]>;

/** Adds `GET /metrics`; `X-Metrics-Token` is needed unless `APP_ENV=local`. */
export function addMetrics(
  app: OpenAPIHono<HttpEnv>,
  opts: { config: Pick<Config, "appEnv" | "tokens">; metrics: Registry; metricsSource?: MetricsSource },
): void {
  const guard = opts.config.appEnv === "local" ? [] : [headerToken("X-Metrics-Token", opts.config.tokens.metrics)];
  app.openapi({ ...route, middleware: guard }, async (c) => {
    const body = await exposition(opts.metrics, opts.metricsSource);
    return c.text(body, 200, { "Content-Type": opts.metrics.contentType });
  });
}

async function exposition(own: Registry, source: MetricsSource | undefined): Promise<string> {
  const others = source ? await source() : [];
  if (others.length === 0) return await own.metrics();
  return await AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...others]).metrics();
}

const route = createRoute({
  method: "get",
  path: "/metrics",
  tags: ["operations"],
  summary: "Metrics in text exposition format",
  responses: {
    200: { description: "All metrics.", content: { "text/plain": { schema: z.string() } } },
    ...problems("unauthorized"),
  },
});
