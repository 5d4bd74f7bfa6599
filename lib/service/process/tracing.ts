/** A piece of work that is being traced. */
export type Span = {
  /** 32 hexadecimal digits; undefined while nothing is traced. */
  readonly traceId: string | undefined;
  set(attributes: Record<string, string | number | boolean>): void;
  rename(name: string): void;
  /** Says that the work failed; errors that it throws say so by themselves. */
  fail(reason: string): void;
};

/** What a span is begun with. */
export type SpanOptions = {
  kind: "server" | "client" | "consumer" | "internal";
  attributes?: Record<string, string | number | boolean>;
  /** Headers of the request that is served: its `traceparent` is what the span belongs to. */
  from?: Headers;
};

/** Sends spans to a collector. */
export type Tracing = {
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Headers that tell a service which span its work belongs to. */
  headers(): Record<string, string>;
  /** Sends what is left. */
  stop(): Promise<void>;
};

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

/** The W3C trace context of the span that is under way here, as headers for what is asked on its behalf. */
export function traceHeaders(): Record<string, string> {
  return tracing === undefined ? NO_HEADERS : tracing.headers();
}
