export { type Deadline, type ErrorDecoders, ThreadError, type ThreadErrorCode } from "./errors.ts";
export { assertThreadsRun, openThreads, type Threads, type ThreadStates } from "./pool.ts";
export { type Context, type Start, type ThreadsLogger, type ThreadsState, Transferred } from "./protocol.ts";
export { type Background, serve } from "./serve.ts";
