import type { Registry } from "prom-client";

/** Where the API finds the metrics of other processes, by the name of each. */
export type PublishedMetrics = { put(instance: string, metrics: Json[]): Promise<void> };

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Unchanged metrics are put again after this time, in milliseconds: who is silent for long counts as gone. */
const REFRESH_MS = 3_000;

/**
 * Makes a function that puts the metrics of `registry` where the API finds them, under the name `instance`; it does
 * nothing while none has changed. Only those named by `only` are put, and never those that speak of one process alone
 * (`process_*`, `http_*`).
 */
export function metricsPublisher(
  published: PublishedMetrics,
  instance: string,
  registry: Registry,
  { only = () => true, refreshMs = REFRESH_MS }: { only?: (name: string) => boolean; refreshMs?: number } = {},
): () => Promise<void> {
  let put: { text: string; at: number } | undefined;
  return async () => {
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    const shown = names.filter((name) => !/^(process_|http_)/.test(name) && only(name));
    // To collect the others takes longer than all else here.
    const text = JSON.stringify(await Promise.all(shown.map((name) => registry.getSingleMetric(name)?.get())));
    if (put?.text === text && performance.now() - put.at < refreshMs) return;
    const metrics: Json = JSON.parse(text);
    if (!Array.isArray(metrics)) throw new TypeError("metrics as JSON are a list");
    await published.put(instance, metrics);
    put = { text, at: performance.now() };
  };
}
