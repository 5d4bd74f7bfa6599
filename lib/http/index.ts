export { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
export { createMiddleware } from "hono/factory";
export { html } from "hono/html";
export { AppError, type AppErrorOptions, type FieldErrors, retryAfter } from "./app-error.ts";
export { bearer, bearerToken, headerToken, optionalHeaderToken, tokenMatcher } from "./auth.ts";
export { type BodyText, DEFAULT_BODY_LIMIT, jsonBody, readBytes, readJsonText } from "./body.ts";
export { type HttpContext, type HttpEnv, note, requestLogger } from "./context.ts";
export type { Classify } from "./errors.ts";
export { type EventStreamOptions, eventStream, type OutgoingEvent, type StreamOutcome } from "./event-stream.ts";
export { type Component, type Dependency, type DependencyGroup, Health } from "./health.ts";
export { pathOf, queryOf } from "./host.ts";
export { createLimiters, type Limiter } from "./limiter.ts";
export { type Connection, ListenError, type Listening, listen, serveUnderBun } from "./listen.ts";
export type { MetricsSource } from "./metrics-route.ts";
export { clientAddress, inNetworks, keepOpen } from "./peer.ts";
export { Problem, PROBLEM_JSON, problemBody, problemResponse, problems } from "./problem.ts";
export { createRateLimit, createSharedRateLimit } from "./rate-limit.ts";
export { requestIdOf } from "./request-id.ts";
export {
  createServiceClient,
  type OnBehalf,
  type ServiceClient,
  type ServiceClientOptions,
} from "./service-client.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
export { ERRORS, type ErrorSlug, isErrorSlug } from "./slugs.ts";
export { invalidFields, validationError } from "./validation.ts";
