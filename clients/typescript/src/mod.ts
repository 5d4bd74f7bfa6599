export { createIsnad, type Isnad, type IsnadOptions } from "./client.ts";
export { IsnadError } from "./error.ts";
export type { StreamEvent } from "./events.ts";
export type { Answer, CallOptions, Input, OperationId, Schemas } from "./types.ts";
