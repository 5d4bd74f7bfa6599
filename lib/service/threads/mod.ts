export type { Deadline } from "./deadline.ts";
export { type ErrorDecoders, ThreadError, type ThreadErrorCode } from "./errors.ts";
export { type Context, type Start, Transferred } from "./handlers.ts";
export { assertThreadsRun, type ThreadStates } from "./health.ts";
export { openThreads, type Threads } from "./open.ts";
export type { ThreadsLogger, ThreadsState } from "./options.ts";
export { serve } from "./serve.ts";
export type { Background } from "./step-aside.ts";
