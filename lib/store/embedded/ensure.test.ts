import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { ensurePostgres, serverSettings } from "./ensure.ts";
import { isAlive, runningPostmaster, stopServer } from "./server.ts";
import { until } from "../../std/testing-until.ts";

// Making and starting a cluster takes a second, and many times that on a busy machine.
setDefaultTimeout(300_000);

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  for (const folder of folders.splice(0)) {
    const left = await runningPostmaster(join(folder, "postgres", "cluster"));
    if (left !== undefined) await stopServer(left.pid);
    await rm(folder, { recursive: true, force: true });
  }
});

/** A data folder that, like every folder of mkdtemp, is closed to other accounts. */
async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "isnad-ensure-"));
  folders.push(folder);
  return folder;
}

/** Without waiting for the disk: these tests are about processes. */
const settings = { fsync: "off" };

/** Holds a cluster that was started and stopped once: to make one takes longer than all else here. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), "isnad-ensure-"));
  await (await ensurePostgres({ dataDir: template, settings })).release();
});
afterAll(() => rm(template, { recursive: true, force: true }));

/** A data folder that has been used before. */
async function usedDataDir(): Promise<string> {
  const folder = await newDataDir();
  execFileSync("cp", ["-a", join(template, "postgres"), folder]);
  return folder;
}

const running = (dataDir: string) => runningPostmaster(join(dataDir, "postgres", "cluster"));

async function ask(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
    return row?.version ?? "";
  } finally {
    await sql.end();
  }
}

/** Another process that holds the server of `dataDir` until it is killed. */
async function holder(dataDir: string): Promise<ChildProcess> {
  const script = `import { ensurePostgres } from ${JSON.stringify(join(import.meta.dir, "ensure.ts"))};
    globalThis.lease = await ensurePostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: "off" } });
    console.log("held"); setInterval(() => globalThis.lease, 1000);`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

describe("ensurePostgres", () => {
  test("starts a server of version 18, shares it, and stops it with its last user", async () => {
    const dataDir = await newDataDir();
    const first = await ensurePostgres({ dataDir, settings });
    const second = await ensurePostgres({ dataDir, settings });
    expect(second.url).toBe(first.url);
    expect(await ask(first.url)).toStartWith("18.");
    await first.release();
    expect(await ask(second.url)).toStartWith("18.");
    await second.release();
    await second.release();
    expect(await running(dataDir)).toBeUndefined();
  });

  test("gives the configured database untouched", async () => {
    const dataDir = await newDataDir();
    const lease = await ensurePostgres({ dataDir, databaseUrl: "postgres://db.example/x" });
    expect(lease.url).toBe("postgres://db.example/x");
    await lease.release();
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
  });

  test("keeps data, port and password from one start to the next", async () => {
    const dataDir = await usedDataDir();
    const first = await ensurePostgres({ dataDir, settings });
    const sql = postgres(first.url, { max: 1 });
    await sql`create table kept as select 42 as answer`;
    await sql.end();
    await first.release();
    const second = await ensurePostgres({ dataDir, settings });
    expect(second.url).toBe(first.url);
    const again = postgres(second.url, { max: 1 });
    expect((await again`select answer from kept`)[0]?.answer).toBe(42);
    await again.end();
    await second.release();
  });

  test("is durable: fsync and synchronous_commit are on, and passwords are demanded", async () => {
    const dataDir = await usedDataDir();
    const lease = await ensurePostgres({ dataDir });
    const sql = postgres(lease.url, { max: 1 });
    const rows = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`;
    expect(rows.map((row) => row.setting)).toEqual(["on", "on", "on", "on"]);
    await sql.end();
    const wrong = new URL(lease.url);
    wrong.password = "wrong";
    await expect(ask(wrong.href)).rejects.toThrow(/password authentication failed/);
    await lease.release();
  });

  test("several processes that begin at once share one server", async () => {
    const dataDir = await newDataDir();
    await Promise.all([holder(dataDir), holder(dataDir), holder(dataDir)]);
    const lease = await ensurePostgres({ dataDir, settings });
    expect(await ask(lease.url)).toStartWith("18.");
    await lease.release();
    expect(await running(dataDir)).toBeDefined();
  });

  test("a user that was killed counts as gone, and the server it started is taken over", async () => {
    const dataDir = await usedDataDir();
    const other = await holder(dataDir);
    const before = await running(dataDir);
    other.kill("SIGKILL");
    await once(other, "exit");
    const lease = await ensurePostgres({ dataDir, settings });
    expect((await running(dataDir))?.pid).toBe(before?.pid ?? 0);
    await lease.release();
    expect(await running(dataDir)).toBeUndefined();
  });

  test("a server that was killed comes back under the same address, with what was committed", async () => {
    const dataDir = await usedDataDir();
    const warnings: string[] = [];
    const note = (_: object, message: string) => warnings.push(message);
    const lease = await ensurePostgres({ dataDir, settings, logger: { info: note, warn: note, error: note } });
    const sql = postgres(lease.url, { max: 2, backoff: () => 0.05 });
    await sql`create table kept (n int)`;
    await sql`insert into kept values (1)`;
    const before = await running(dataDir);
    if (before === undefined) throw new Error("no server runs");
    process.kill(before.pid, "SIGKILL");
    await until(async () => {
      const server = await running(dataDir);
      return server?.status === "ready" && server.pid !== before.pid;
    });
    await until(() =>
      sql`select n from kept`.then(
        (rows) => rows.length === 1,
        () => false,
      ),
    );
    await until(async () => warnings.includes("embedded Postgres had ended and was started again"));
    await sql.end();
    await lease.release();
    expect(isAlive(before.pid)).toBe(false);
  });

  test.skipIf(process.platform !== "linux")(
    "the server is no child of its starter, and so not ended with it",
    async () => {
      const dataDir = await usedDataDir();
      const lease = await ensurePostgres({ dataDir, settings });
      const server = await running(dataDir);
      const status = await readFile(`/proc/${server?.pid}/status`, "utf8");
      expect(Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])).not.toBe(process.pid);
      expect(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])).not.toBe(0);
      await lease.release();
    },
  );

  test("takes another port when somebody sits on the old one", async () => {
    const dataDir = await usedDataDir();
    const first = await ensurePostgres({ dataDir, settings });
    await first.release();
    const taken = Bun.listen({
      hostname: "127.0.0.1",
      port: Number(new URL(first.url).port),
      socket: { data() {} },
    });
    const second = await ensurePostgres({ dataDir, settings });
    expect(second.url).not.toBe(first.url);
    expect(await ask(second.url)).toStartWith("18.");
    await second.release();
    taken.stop();
  });

  test("starts over a pid file that a crash of the machine left behind", async () => {
    const dataDir = await usedDataDir();
    const first = await ensurePostgres({ dataDir, settings });
    const pidFile = join(dataDir, "postgres", "cluster", "postmaster.pid");
    const text = await readFile(pidFile, "utf8");
    await first.release();
    await writeFile(pidFile, text.replace(/^\d+/, "4194000"));
    const second = await ensurePostgres({ dataDir, settings });
    expect(await ask(second.url)).toStartWith("18.");
    await second.release();
  });

  test("says in one line that the cluster is damaged, and touches nothing", async () => {
    const dataDir = await usedDataDir();
    const lease = await ensurePostgres({ dataDir, settings });
    await lease.release();
    const cluster = join(dataDir, "postgres", "cluster");
    const control = join(cluster, "global", "pg_control");
    await rename(control, `${control}.away`);
    await expect(ensurePostgres({ dataDir, settings })).rejects.toMatchObject({
      code: "EDAMAGED",
      message: expect.stringMatching(/^the cluster in [^\n]+ is damaged [^\n]+$/),
    });
    await rename(`${control}.away`, control);
    await rename(join(cluster, "PG_VERSION"), join(cluster, "PG_VERSION.away"));
    await expect(ensurePostgres({ dataDir, settings })).rejects.toMatchObject({ code: "EDAMAGED" });
    await rename(join(cluster, "PG_VERSION.away"), join(cluster, "PG_VERSION"));
    const again = await ensurePostgres({ dataDir, settings });
    expect(await ask(again.url)).toStartWith("18.");
    await again.release();
  });

  test("says in one line that the password file does not fit the cluster", async () => {
    const dataDir = await usedDataDir();
    const lease = await ensurePostgres({ dataDir, settings });
    await lease.release();
    await writeFile(join(dataDir, "postgres", "password"), "not-the-password");
    await expect(ensurePostgres({ dataDir, settings })).rejects.toMatchObject({
      name: "PostgresStartError",
      message: expect.stringMatching(/refuses the password in [^\n]+$/),
    });
  });
});

describe("serverSettings", () => {
  test("leaves durability on", () => {
    const names = Object.keys(serverSettings());
    for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) expect(names).not.toContain(name);
  });

  test("takes more shared memory on a bigger machine, within bounds", () => {
    const gigabyte = 2 ** 30;
    expect(serverSettings(gigabyte).shared_buffers).toBe("128MB");
    expect(serverSettings(4 * gigabyte).shared_buffers).toBe("256MB");
    expect(serverSettings(256 * gigabyte).shared_buffers).toBe("512MB");
  });

  test("listens on loopback alone, for at least a hundred connections", () => {
    const settings = serverSettings();
    expect(settings.listen_addresses).toBe("127.0.0.1");
    expect(Number(settings.max_connections)).toBeGreaterThanOrEqual(100);
  });
});
