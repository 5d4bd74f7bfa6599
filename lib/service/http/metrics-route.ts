import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import { errorMessage } from "../../std/mod.ts";
import type { Config } from "../config/mod.ts";
import { headerToken } from "./access.ts";
import { type HttpContext, type HttpEnv, note } from "./context.ts";
import { operationId } from "./health.ts";
import { problems } from "./problem.ts";

/**
 * Metrics of other processes, as their registries' `getMetricsAsJSON()` gave them. They are added to the service's own,
 * except `process_*`, which speak of one process.
 */
export type MetricsSource = () => Promise<unknown[]>;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Adds `GET /metrics`; `X-Metrics-Token` is needed unless `APP_ENV=local`. */
export function addMetrics(
  app: OpenAPIHono<HttpEnv>,
  opts: { name: string; config: Pick<Config, "appEnv" | "tokens">; metrics: Registry; metricsSource?: MetricsSource },
): void {
  const guard = opts.config.appEnv === "local" ? [] : [headerToken("X-Metrics-Token", opts.config.tokens.metrics)];
  app.openapi({ ...route(opts.name), middleware: guard }, async (c) => {
    const others = await readSource(c, opts.metricsSource);
    return c.text(await exposition(opts.metrics, others), 200, { "Content-Type": opts.metrics.contentType });
  });
}

/** Returns what cannot be read from elsewhere is missing from the answer, and named in the log line. */
async function readSource(c: HttpContext, source: MetricsSource | undefined): Promise<Metrics[]> {
  if (!source) return [];
  try {
    return (await source()).filter(isMetrics);
  } catch (error) {
    note(c, { metrics_source: errorMessage(error) });
    return [];
  }
}

function isMetrics(value: unknown): value is Metrics {
  return (
    Array.isArray(value) && value.every((metric) => typeof metric?.name === "string" && Array.isArray(metric.values))
  );
}

async function exposition(own: Registry, others: readonly Metrics[]): Promise<string> {
  if (others.length === 0) return await own.metrics();
  const shared = others.map((metrics) => metrics.filter(({ name }) => !name.startsWith("process_")));
  return await AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...shared]).metrics();
}

const route = (service: string) =>
  createRoute({
    method: "get",
    path: "/metrics",
    operationId: operationId("get", service, "metrics"),
    tags: ["operations"],
    summary: "Metrics in text exposition format",
    responses: {
      200: { description: "All metrics.", content: { "text/plain": { schema: z.string() } } },
      ...problems("unauthorized"),
    },
  });
