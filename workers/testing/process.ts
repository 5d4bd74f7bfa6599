import { URL } from "node:url";
import { createLogger } from "@isnad/lib/service/process";
import { type LogLine, spawnService } from "@isnad/lib/service/process/testing";
import { openQueues } from "@isnad/lib/work/queue";

/** Workers as a process. */
export type WorkersProcess = {
  /** Log lines so far. */
  lines: LogLine[];
  /** The body of their health route. */
  health(): Promise<unknown>;
  /** Adds the job that takes these articles up. */
  wake(articleIds: number[]): Promise<void>;
  /** Ends the workers; resolves to their exit code. */
  end(): Promise<number | null>;
};

/** Starts `main.ts` with this environment and nothing else, and waits until it runs. */
export async function startWorkers(env: {
  DATABASE_URL: string;
  DATA_DIR: string;
  [name: string]: string;
}): Promise<WorkersProcess> {
  const main = new URL("../main.ts", import.meta.url);
  const service = spawnService(main, { WORKERS_PORT: "0", PULL_INTERVAL_S: "0", ...env });
  const { url } = await service.said("workers are running");
  return {
    lines: service.lines,
    health: async () => (await fetch(`${url}/health`)).json(),
    async wake(articleIds) {
      const queues = await openQueues({
        databaseUrl: env.DATABASE_URL,
        logger: createLogger({ service: "test", level: "silent" }),
      });
      await queues.add("ingestion", { id: `wake-${articleIds.join("-")}`, data: { articleIds } });
      await queues.close();
    },
    end: () => service.end(),
  };
}
