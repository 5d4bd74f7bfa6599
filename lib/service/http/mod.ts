export { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
export { createMiddleware } from "hono/factory";
export { html } from "hono/html";
export {
  type Access,
  bearer,
  bearerToken,
  headerToken,
  optionalHeaderToken,
  tokenMatcher,
} from "./access.ts";
export { type BodyLimits, jsonBody, MAX_BODY_VALUES, readBytes, readJsonText } from "./body.ts";
export { type HttpContext, type HttpEnv, note, pathOf, queryOf, requestLogger } from "./context.ts";
export { type Classify, notFoundHandler, toAppError } from "./problem.ts";
export { eventStream, inTurn, type OutgoingEvent } from "./event-stream.ts";
export { entityTagOf, requestIdOf } from "./service.ts";
export { type Component, type Dependency, DependencyFailure, readHealth } from "./health.ts";
export { isLoopback } from "./listen.ts";
export { acceptedOffer, textStream } from "./negotiate.ts";
export { KEYS_PATH, type KeySource, remoteKeys, storedKeys } from "./keys.ts";
export { createLimiters, type Limiter } from "./limiter.ts";
export { type Connection, type Listening, listen, serveUnderBun } from "./listen.ts";
export type { MetricsSource } from "./service.ts";
export { crossSite, hasCredential, isCrossSite } from "./origins.ts";
export { CLIENT_HEADER, clientAddress, INTERNAL_HEADER, inNetworks, keepOpen, PASSED_HEADER } from "./peer.ts";
export {
  answer,
  BODY_PROBLEMS,
  bodyOf,
  AppError,
  type ErrorSlug,
  isErrorSlug,
  PROBLEM_JSON,
  Problem,
  problemBody,
  problemResponse,
  problems,
  retryAfter,
} from "./problem.ts";
export { createSharedRateLimit } from "./keys.ts";
export { createService, type Service } from "./service.ts";
export { createServiceClient, type OnBehalf, type ServiceClient } from "./service-client.ts";
export { invalidFields } from "./validation.ts";
export { type WritesOptions, writesHealth } from "./writes-health.ts";
export { guarding, RIGHT_MEMBER } from "./access.ts";
export { pageOf } from "./validation.ts";
