import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { errorMessage } from "../../std/mod.ts";

/** A piece of work that is being traced. */
export type Span = {
  /** 32 hexadecimal digits; undefined while nothing is traced. */
  readonly traceId: string | undefined;
  set(attributes: Record<string, string | number | boolean>): void;
  rename(name: string): void;
  /** Says that the work failed; errors that it throws say so by themselves. */
  fail(reason: string): void;
};

/** Describes what a span is begun with. */
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

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Sets how long the end of a process waits for the collector, in milliseconds. */
const STOP_MS = 2_000;

/** Sets how often spans are sent, in milliseconds, and how long a collector may take. */
const BATCH = { scheduledDelayMillis: 1_000, exportTimeoutMillis: 5_000 };

/** Sends spans to a collector by OTLP over HTTP. What it does not take is dropped, and nobody waits for it. */
export function openTracing(
  { endpoint, headers, share }: { endpoint: string; headers: Record<string, string>; share: number },
  service: { name: string; version: string },
): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: 5_000 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.namespace": "isnad",
      "service.name": service.name,
      "service.version": service.version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...BATCH })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer("isnad", service.version);
  return {
    async span(name, { kind, attributes = {}, from }, work) {
      const parent =
        from === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, Object.fromEntries(from));
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
      const fail = (message: string) => span.setStatus({ code: SpanStatusCode.ERROR, message });
      const handle = {
        traceId: span.spanContext().traceId,
        set: (more: Record<string, string | number | boolean>) => void span.setAttributes(more),
        rename: (better: string) => void span.updateName(better),
        fail: (reason: string) => void fail(reason),
      };
      try {
        return await context.with(trace.setSpan(parent, span), () => work(handle));
      } catch (error) {
        fail(errorMessage(error));
        throw error;
      } finally {
        span.end();
      }
    },
    headers() {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      return carrier;
    },
    async stop() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
      context.disable();
      propagation.disable();
    },
  };
}
