import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Runs a command in a network and with files of its own. */
const ALONE = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-c"];
const UP = 'ip link set lo up && mount --bind "$RESOLV_CONF" /etc/resolv.conf';

const home = mkdtempSync(join(tmpdir(), "isnad-look-ups-"));
const resolv = join(home, "resolv.conf");
writeFileSync(resolv, "nameserver 127.0.0.1\noptions attempts:1 timeout:1\n");
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, RESOLV_CONF: resolv };
const isAlone = Bun.which("unshare") !== null && Bun.spawnSync([...ALONE, UP], { env }).exitCode === 0;

test.skipIf(!isAlone)(
  "services that load their models look no host up (skipped without a network namespace)",
  async () => {
    const child = Bun.spawn([...ALONE, `${UP} && exec "${process.execPath}" e2e/look-ups/serve-alone.ts`], {
      cwd: ROOT,
      env: { ...env, APP_ENV: "local", DATA_DIR: join(home, "data"), EDGE_API_KEY: "alone", LOG_LEVEL: "error" },
      stdout: "pipe",
      stderr: "inherit",
    });
    expect(JSON.parse(await new Response(child.stdout).text())).toEqual(["canary.test"]);
    rmSync(home, { recursive: true });
  },
  300_000,
);
