import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { freePort } from "../../lib/std/ports.ts";

/** The central API as a process of its own. */
export type ApiProcess = { url: string; token: string; stop(): Promise<void> };

const ENTRY = fileURLToPath(new URL("../../api/main.ts", import.meta.url));
const TOKEN = "bench-token";

/** Starts the API over the database and waits until it answers. */
export async function startApi(databaseUrl: string): Promise<ApiProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([process.execPath, ENTRY], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      API_PORT: String(port),
      INGEST_TOKEN: TOKEN,
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const answers = () =>
    fetch(`${url}/livez`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`the API ended with ${child.exitCode}`);
    await Bun.sleep(50);
  }
  return {
    url,
    token: TOKEN,
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
