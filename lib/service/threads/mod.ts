export { stepAside } from "./background-thread.ts";
export { type ErrorDecoders, ThreadError, type ThreadErrorCode } from "./protocol.ts";
export { areResting, assertThreadsRun, openThreads, type ThreadStates, type Threads } from "./pool.ts";
export { type Background, type Context, type ThreadsLogger, type ThreadsState, Transferred } from "./protocol.ts";
export { serve } from "./serve.ts";
