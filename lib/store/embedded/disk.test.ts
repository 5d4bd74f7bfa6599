import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isUnavailable } from "../client.ts";
import { migrate } from "../migrate.ts";
import { openStore } from "../store.ts";
import { testItem } from "../testing.ts";
import { ensurePostgres } from "./ensure.ts";
import { runningPostmaster } from "./server.ts";

setDefaultTimeout(300_000);

const settings = { max_wal_size: "64MB", min_wal_size: "32MB" };

let folder: string;
let mounted = false;

const mount = (...args: string[]) => spawnSync("mount", args).status === 0;
const resize = (options: string) => expect(mount("-o", `remount,${options}`, folder)).toBe(true);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "isnad-disk-"));
  mounted = process.getuid?.() === 0 && mount("-t", "tmpfs", "-o", "size=20m", "tmpfs", folder);
  if (!mounted) process.stderr.write("no small disk can be mounted here: the tests of a full disk do nothing\n");
});

afterAll(async () => {
  if (mounted) spawnSync("umount", ["-l", folder]);
  await rm(folder, { recursive: true, force: true });
});

describe("the embedded Postgres on a disk of its own", () => {
  test("says in one line that the disk is full, before and after the cluster is made, and works again with room", async () => {
    if (!mounted) return;
    const dataDir = join(folder, "data");
    const full = { code: "ENOSPC", message: expect.stringMatching(/^[^\n]+ is full$/) };
    await expect(ensurePostgres({ dataDir, settings })).rejects.toMatchObject(full);

    resize("size=200m");
    const lease = await ensurePostgres({ dataDir, settings });
    await migrate(lease.url);
    const store = openStore(lease.url);
    let stored = 0;
    const error = await (async () => {
      for (;;) {
        const items = Array.from({ length: 20 }, () =>
          testItem({ content: `${Math.random()} ${"x".repeat(100_000)}` }),
        );
        await store.admission.admit(items, { requireKnownSource: false });
        stored += items.length;
      }
    })().catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    await store.close();
    await lease.release();
    expect(runningPostmaster(join(dataDir, "postgres", "cluster"))).toBeUndefined();

    resize("size=400m");
    const again = await ensurePostgres({ dataDir, settings });
    const reopened = openStore(again.url);
    expect(await reopened.articles.countPending()).toBe(stored);
    await reopened.close();
    await again.release();
  });

  test("says in one line that the data folder is read-only", async () => {
    if (!mounted) return;
    resize("ro");
    await expect(ensurePostgres({ dataDir: join(folder, "other"), settings })).rejects.toMatchObject({
      code: "EROFS",
      message: expect.stringMatching(/^cannot write to [^\n]+: the file system is read-only$/),
    });
    resize("rw");
  });
});
