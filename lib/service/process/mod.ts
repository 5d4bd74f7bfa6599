export { makePrivate } from "./files.ts";
export { createLogger, type Logger } from "./logger.ts";
export {
  type ClassifyMetrics,
  Counter,
  classifyMetrics,
  createMetrics,
  instruments,
  Histogram,
  metricsPublisher,
  queueLatency,
  Registry,
} from "./metrics.ts";
export { every, pause } from "./runner.ts";
export { aborted, runMain } from "./run-main.ts";
export {
  createRunner,
  type LeasedWork,
  performLeased,
  type Runner,
  type RunnerOptions,
  startHeartbeat,
} from "./runner.ts";
export { inSpan, startTracing } from "./tracing.ts";
