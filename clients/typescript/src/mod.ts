export { createIsnad, type Isnad, type IsnadOptions } from "./client.ts";
export { IsnadError } from "./client.ts";
export type { StreamEvent } from "./client.ts";
export type { Answer, CallOptions, Input, OperationId, Schemas } from "./types.ts";
