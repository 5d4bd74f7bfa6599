import type { Processor } from "bullmq";
import type { Backend } from "./backend.ts";
import { complaints } from "./complaints.ts";
import { READY_MS, within } from "./deadline.ts";
import type { JobData, JobHandler, QueueLogger, QueueName, QueueWorker } from "./types.ts";

/** Longest time that the library may take to let go of its connections, in milliseconds. */
const CLOSE_MS = 1_500;

/** Calls `handler` for the wake-up calls of a queue until it is closed. */
export async function startWorker(
  backend: Backend,
  name: QueueName,
  handler: JobHandler,
  { logger }: { logger: QueueLogger },
): Promise<QueueWorker> {
  const processor: Processor<JobData, void> = async ({ id = "", data }) => {
    await handler({ id, data });
  };
  const worker = backend.worker(name, processor);
  worker.on("error", complaints(logger, name));
  try {
    await within(READY_MS, `the worker of queue ${name}`, worker.waitUntilReady());
  } catch (error) {
    await worker.close().catch(() => {});
    throw error;
  }
  const close = () =>
    within(CLOSE_MS, `closing the worker of queue ${name}`, worker.close()).catch((error: Error) => {
      logger.warn({ queue: name, reason: error.message }, "queue worker");
    });
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}
