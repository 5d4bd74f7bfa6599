export { type ClassifyMetrics, classifyMetrics } from "./classify-metrics.ts";
export { every } from "./every.ts";
export { explainFailure } from "./failure.ts";
export { type Lock, tryExclusive, tryShared } from "./file-lock.ts";
export { type Heartbeat, type HeartbeatOptions, startHeartbeat } from "./heartbeat.ts";
export { createLogger, type Logger } from "./logger.ts";
export { Counter, createMetrics, Gauge, Histogram, queueLatency, Registry } from "./metrics.ts";
export { Notifier, pause } from "./pause.ts";
export { metricsPublisher, type PublishedMetrics } from "./publish-metrics.ts";
export { type RunInfo, removeRunFile, runFilePath, runningUrls, writeRunFile } from "./run-file.ts";
export { aborted, runMain } from "./run-main.ts";
export {
  createRunner,
  type LeasedWork,
  performLeased,
  type Runner,
  type RunnerOptions,
  type WorkEnd,
} from "./runner.ts";
export { inSpan, type Span, startTracing, traceHeaders } from "./tracing.ts";
export { isConnectionLost, isUnavailable } from "./unavailable.ts";
