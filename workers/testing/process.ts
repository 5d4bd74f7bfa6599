import { createServer } from "node:net";
import { join } from "node:path";
import { createLogger } from "@isnad/lib/http";
import { openQueues } from "@isnad/lib/queue";
import { until } from "./until.ts";

/** Workers as a process. */
export type WorkersProcess = {
  /** Log lines so far. */
  lines: Record<string, unknown>[];
  /** The body of their health route. */
  health(): Promise<unknown>;
  /** Adds the job that takes these articles up. */
  wake(articleIds: number[]): Promise<void>;
  /** Ends them; resolves to the exit code. */
  end(): Promise<number>;
};

/** Starts `main.ts` with this environment and nothing else, and waits until it runs. */
export async function startWorkers(env: { DATABASE_URL: string; DATA_DIR: string }): Promise<WorkersProcess> {
  const port = await freePort();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../main.ts")], {
    env: { PATH: process.env.PATH, WORKERS_PORT: String(port), PULL_INTERVAL_S: "0", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines: Record<string, unknown>[] = [];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) lines.push(JSON.parse(line));
    }
  };
  const output = read();
  await until(
    "the workers run",
    () => child.exitCode !== null || lines.some(({ msg }) => msg === "workers are running"),
  );
  return {
    lines,
    health: async () => (await fetch(`http://127.0.0.1:${port}/health`)).json(),
    async wake(articleIds) {
      const queues = await openQueues({
        databaseUrl: env.DATABASE_URL,
        logger: createLogger({ service: "test", level: "silent" }),
      });
      await queues.add("ingestion", [{ id: `wake-${articleIds.join("-")}`, data: { articleIds } }]);
      await queues.close();
    },
    async end() {
      child.kill("SIGTERM");
      await output;
      return await child.exited;
    },
  };
}

/** A port of this machine that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
