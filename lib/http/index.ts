export { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
export { createMiddleware } from "hono/factory";
export { AppError, type AppErrorOptions, type FieldErrors } from "./app-error.ts";
export { bearer, bearerToken, headerToken, tokenMatcher } from "./auth.ts";
export { type BodyText, DEFAULT_BODY_LIMIT, jsonBody, readJsonText } from "./body.ts";
export { type HttpContext, type HttpEnv, note, requestLogger } from "./context.ts";
export { every } from "./every.ts";
export { explainFailure } from "./failure.ts";
export { hasLength, nameField, textField, timeParam, wholeParam } from "./fields.ts";
export { type Dependency, type DependencyGroup, Health } from "./health.ts";
export { queryOf } from "./host.ts";
export { parseIsoTime } from "./iso-time.ts";
export { ListenError, type Listening, listen } from "./listen.ts";
export { createLogger, type Logger } from "./logger.ts";
export { Counter, createMetrics, Gauge, Histogram, queueLatency, Registry } from "./metrics.ts";
export type { MetricsSource } from "./metrics-route.ts";
export { Bell, pause } from "./pause.ts";
export { clientAddress, inNetworks, keepOpen } from "./peer.ts";
export { PROBLEM_JSON, Problem, problems } from "./problem.ts";
export { requestIdOf } from "./request-id.ts";
export { aborted, runMain } from "./run-main.ts";
export {
  SEARCH_DEPTH,
  SEARCH_MODES,
  SearchBody,
  type SearchMode,
  SearchParams,
  SearchResult,
} from "./search-v1.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
export { ERRORS, type ErrorSlug, isErrorSlug } from "./slugs.ts";
export { validationError } from "./validation.ts";
