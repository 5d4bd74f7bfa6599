import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The profile that the demo crawls. */
export const DEMO_PROFILE = "demo";

/** The source that its articles belong to. */
export const DEMO_SOURCE = "almarsa";

/** Where the profile looks for the site as it ships. */
const SHIPPED_ORIGIN = "http://127.0.0.1:8790";

const SHIPPED = fileURLToPath(new URL("../../profiles", import.meta.url).href);

/** Copies the shipped profiles to `dir`, the demo's with the address at which its site is served. */
export function writeProfiles(dir: string, origin: string): void {
  rmSync(dir, { recursive: true, force: true });
  cpSync(SHIPPED, dir, { recursive: true });
  const profile = readFileSync(join(SHIPPED, `${DEMO_PROFILE}.json`), "utf8");
  writeFileSync(join(dir, `${DEMO_PROFILE}.json`), profile.replaceAll(SHIPPED_ORIGIN, origin));
}
