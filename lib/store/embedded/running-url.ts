import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runningPostmaster } from "./pidfile.ts";
import { ROLE } from "./server.ts";

/**
 * The URL of the embedded Postgres of `dataDir` where it runs; undefined where it does not. Starts and makes nothing.
 */
export async function embeddedUrl(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, "postgres");
  const server = await runningPostmaster(join(folder, "cluster"));
  if (server === undefined) return undefined;
  const password = (await readFile(join(folder, "password"), "utf8")).trim();
  return `postgres://${ROLE}:${password}@127.0.0.1:${server.port}/${ROLE}`;
}
