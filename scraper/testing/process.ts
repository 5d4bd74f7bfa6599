import { join } from "node:path";

/** A scraper as a process. */
export type ScraperProcess = {
  url: string;
  /** Asks with the token `t`; a body is sent as JSON. */
  ask(path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Ends it; resolves to its exit code, null after a signal. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** Log lines so far. */
  lines: Record<string, unknown>[];
};

/** The scraper's main.ts as a child process, with the environment `env` and nothing else. */
export function spawnScraper(env: Record<string, string>) {
  return Bun.spawn([process.execPath, join(import.meta.dir, "..", "main.ts")], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
    env: { PATH: process.env.PATH, SCRAPER_PORT: "0", SCRAPER_TOKEN: "t", INGEST_TOKEN: "i", ...env },
  });
}

/** Starts a scraper and waits until it listens. Rejects with what it said when it ends before that. */
export async function startScraper(env: Record<string, string>): Promise<ScraperProcess> {
  const child = spawnScraper(env);
  const lines: Record<string, unknown>[] = [];
  const listening = Promise.withResolvers<string>();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    // To its end: a process whose output nobody takes cannot go on.
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        const entry: Record<string, unknown> = JSON.parse(line);
        lines.push(entry);
        if (entry.msg === "the scraper is listening") listening.resolve(String(entry.url));
      }
    }
    listening.reject(new Error(`the scraper ended: ${await new Response(child.stderr).text()}`));
  };
  read().catch(listening.reject);
  const url = await listening.promise;
  return {
    url,
    lines,
    ask: async (path, body) => {
      const response = await fetch(`${url}${path}`, {
        headers: { authorization: "Bearer t", "content-type": "application/json" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
      return { status: response.status, body: Object(await response.json()) };
    },
    end: async (signal) => {
      child.kill(signal);
      await child.exited;
      return child.exitCode;
    },
  };
}
