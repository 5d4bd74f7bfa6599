export { openQueues } from "./open.ts";
export { redisFacts } from "./open.ts";
export { type NewJob, QUEUE_NAMES, type Queues } from "./types.ts";
