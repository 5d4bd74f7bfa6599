import { z } from "@hono/zod-openapi";

/** A dependency of a service. `check` rejects when it cannot be used; without a `critical` one nothing can be served. */
export type Dependency = { check(signal: AbortSignal): Promise<unknown>; critical: boolean };

/** The body of the health routes. */
export const Health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    service: z.string(),
    version: z.string(),
    uptime_s: z.number(),
    deps: z.record(z.string(), z.enum(["ok", "fail"])),
  })
  .openapi("Health");

export type HealthReport = { status: 200 | 503; body: z.infer<typeof Health>; failures: Record<string, string> };

/** Time that a dependency has to answer, in milliseconds. */
const DEADLINE_MS = 2_000;

/**
 * Makes a function that checks all dependencies at once. Calls that come while a check is under way share it, so that
 * probes cannot pile up on a slow dependency.
 */
export function createHealth(opts: {
  service: string;
  version: string;
  deps: Record<string, Dependency>;
  deadlineMs?: number;
}): () => Promise<HealthReport> {
  const startedAt = performance.now();
  let underWay: Promise<HealthReport> | undefined;
  const run = async (): Promise<HealthReport> => {
    const failures: Record<string, string> = {};
    const entries = Object.entries(opts.deps);
    await Promise.all(
      entries.map(async ([name, dep]) => {
        const failure = await failureOf(dep, opts.deadlineMs ?? DEADLINE_MS);
        if (failure !== undefined) failures[name] = failure;
      }),
    );
    const failed = (name: string): boolean => failures[name] !== undefined;
    return {
      status: entries.some(([name, dep]) => dep.critical && failed(name)) ? 503 : 200,
      body: {
        status: entries.some(([name]) => failed(name)) ? "degraded" : "ok",
        service: opts.service,
        version: opts.version,
        uptime_s: Math.round((performance.now() - startedAt) / 100) / 10,
        deps: Object.fromEntries(entries.map(([name]) => [name, failed(name) ? "fail" : "ok"])),
      },
      failures,
    };
  };
  return () => {
    underWay ??= run().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

/** Undefined when the dependency answers in time, else what went wrong. */
async function failureOf(dep: Dependency, deadlineMs: number): Promise<string | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const late = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(`no answer within ${deadlineMs} ms`), { once: true });
  });
  const answer = (async () => dep.check(signal))().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return await Promise.race([answer, late]);
}
