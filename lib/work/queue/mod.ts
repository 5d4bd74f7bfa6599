export { openQueues } from "./open.ts";
export { type RedisFacts, redisFacts } from "./open.ts";
export {
  type JobData,
  type JobHandler,
  type NewJob,
  QUEUE_NAMES,
  type QueueLogger,
  type QueueName,
  type Queues,
  type QueueWorker,
} from "./types.ts";
