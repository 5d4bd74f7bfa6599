import type { Span, SpanOptions, Tracing } from "./otel.ts";

const NO_SPAN: Span = { traceId: undefined, set() {}, rename() {}, fail() {} };
const NO_HEADERS: Record<string, string> = {};

let tracing: Tracing | undefined;

/**
 * Has this process send traces where `config` names a collector; without one nothing is loaded, and nothing done later.
 * Returns how to end it.
 */
export async function startTracing(
  config: { endpoint: string; headers: Record<string, string>; share: number } | undefined,
  service: { name: string; version: string },
): Promise<{ stop(): Promise<void> }> {
  if (config === undefined) return { stop: async () => {} };
  const { openTracing } = await import("./otel.ts");
  const opened = openTracing(config, service);
  tracing = opened;
  return {
    async stop() {
      tracing = undefined;
      await opened.stop();
    },
  };
}

/** Does `work` as a span of the trace that is under way here, or of a new one. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracing === undefined ? work(NO_SPAN) : tracing.span(name, options, work);
}

/** Returns the W3C trace context of the span that is under way here, as headers for what is asked on its behalf. */
export function traceHeaders(): Record<string, string> {
  return tracing === undefined ? NO_HEADERS : tracing.headers();
}
