export { openQueues } from "./open.ts";
export { type RedisFacts, redisFacts } from "./redis-facts.ts";
export type {
  JobData,
  JobHandler,
  NewJob,
  QueueCounts,
  QueueJob,
  QueueLogger,
  QueueName,
  Queues,
  QueueWorker,
} from "./types.ts";
