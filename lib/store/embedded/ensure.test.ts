import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { tryExclusive } from "../../service/process/files.ts";
import { connect, currentUrl } from "../client.ts";
import { takePort } from "../testing-faults.ts";
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
    const left = runningPostmaster(join(folder, "postgres", "cluster"));
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

/** Kills the server of a data folder. Returns its process id. */
async function killServer(dataDir: string): Promise<number> {
  const server = running(dataDir);
  if (server === undefined) throw new Error("no server runs");
  process.kill(server.pid, "SIGKILL");
  await until("it is dead", () => !isAlive(server.pid));
  return server.pid;
}

/** Tells whether somebody starts or stops the server of a data folder. */
function isLocked(dataDir: string): boolean {
  const lock = tryExclusive(join(dataDir, "postgres", "start.lock"));
  lock?.release();
  return lock === undefined;
}

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

/** Kills the first start on a folder once this file of its cluster is there; what makes the cluster goes on. */
async function killFirstStart(dataDir: string, file: string): Promise<void> {
  const script = `import { ensurePostgres } from ${JSON.stringify(join(import.meta.dir, "ensure.ts"))};
    await ensurePostgres({ dataDir: ${JSON.stringify(dataDir)} });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: "inherit" });
  children.push(child);
  const made = new Bun.Glob(`postgres/cluster.new*/${file}`);
  const isMade = () => existsSync(join(dataDir, "postgres")) && [...made.scanSync({ cwd: dataDir })].length > 0;
  while (!isMade()) await Bun.sleep(1);
  child.kill("SIGKILL");
  await once(child, "exit");
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
    expect(running(dataDir)).toBeUndefined();
  });

  test("gives the configured database untouched", async () => {
    const dataDir = await newDataDir();
    const lease = await ensurePostgres({ dataDir, databaseUrl: "postgres://db.example/x" });
    expect(lease.url).toBe("postgres://db.example/x");
    await lease.release();
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
  });

  test("keeps data, port and password from one start to the next; another port where somebody sits on it", async () => {
    const dataDir = await usedDataDir();
    const first = await ensurePostgres({ dataDir, settings });
    const sql = postgres(first.url, { max: 1 });
    await sql`create table kept as select 42 as answer`;
    await sql.end();
    const pidFile = await readFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8");
    await first.release();
    // As a crash of the machine leaves it behind.
    await writeFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), pidFile.replace(/^\d+/, "4194000"));
    const second = await ensurePostgres({ dataDir, settings });
    expect(second.url).toBe(first.url);
    const again = postgres(second.url, { max: 1 });
    expect((await again`select answer from kept`)[0]?.answer).toBe(42);
    await again.end();
    await second.release();
    const giveBack = await takePort(Number(new URL(first.url).port));
    const third = await ensurePostgres({ dataDir, settings });
    expect(third.url).not.toBe(first.url);
    expect(await ask(third.url)).toStartWith("18.");
    await third.release();
    giveBack();
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
    expect(running(dataDir)).toBeDefined();
  });

  test.each(["PG_VERSION", "global/pg_control"])(
    "a first start that was killed when it had made %s is in nobody's way, and what it made goes",
    async (file) => {
      const dataDir = await newDataDir();
      await killFirstStart(dataDir, file);
      const lease = await ensurePostgres({ dataDir, settings });
      expect(await ask(lease.url)).toStartWith("18");
      await lease.release();
      const names = await readdir(join(dataDir, "postgres"));
      expect(names.filter((name) => name.startsWith("cluster"))).toEqual(["cluster"]);
    },
  );

  test("a user that was killed counts as gone, and the server it started is taken over", async () => {
    const dataDir = await usedDataDir();
    const other = await holder(dataDir);
    const before = running(dataDir);
    other.kill("SIGKILL");
    await once(other, "exit");
    const lease = await ensurePostgres({ dataDir, settings });
    expect(running(dataDir)?.pid).toBe(before?.pid ?? 0);
    await lease.release();
    expect(running(dataDir)).toBeUndefined();
  });

  test("a server that was killed waits for its port and comes back under the same address, with what was committed", async () => {
    const dataDir = await usedDataDir();
    const warnings: string[] = [];
    const note = (_: object, message: string) => warnings.push(message);
    const lease = await ensurePostgres({ dataDir, settings, logger: { info: note, warn: note, error: note } });
    const sql = postgres(lease.url, { max: 2, backoff: () => 0.05 });
    await sql`create table kept (n int)`;
    await sql`insert into kept values (1)`;
    const before = await killServer(dataDir);
    const giveBack = await takePort(Number(new URL(lease.url).port));
    await until("it is being started", () => isLocked(dataDir));
    giveBack();
    await until("the server runs again", () => (running(dataDir)?.pid ?? before) !== before);
    await until("it answers", () =>
      sql`select n from kept`.then(
        (rows) => rows.length === 1,
        () => false,
      ),
    );
    await until("it was told", () => warnings.includes("embedded Postgres had ended and was started again"));
    await sql.end();
    await lease.release();
    expect(isAlive(before)).toBe(false);
  });

  test("a server whose port somebody keeps comes back on another one, where pools find it", async () => {
    const dataDir = await usedDataDir();
    const lease = await ensurePostgres({ dataDir, settings, portWaitMs: 0 });
    const sql = connect(lease.url, { max: 1 });
    await sql`select 1`;
    await killServer(dataDir);
    const giveBack = await takePort(Number(new URL(lease.url).port));
    await until("the pool finds it", () =>
      sql`select 1`.then(
        () => true,
        () => false,
      ),
    );
    expect(currentUrl(lease.url)).not.toBe(lease.url);
    giveBack();
    await sql.end();
    await lease.release();
  });

  test("the last user stops the server when a signal ends it, and dies of that signal", async () => {
    const dataDir = await usedDataDir();
    const [first, last] = await Promise.all([holder(dataDir), holder(dataDir)]);
    first.kill("SIGINT");
    expect(await once(first, "exit")).toEqual([null, "SIGINT"]);
    expect(running(dataDir)?.status).toBe("ready");
    last.kill("SIGTERM");
    expect(await once(last, "exit")).toEqual([null, "SIGTERM"]);
    await until("the server stops", () => running(dataDir) === undefined);
  });

  test.skipIf(process.platform !== "linux")(
    "the server is no child of its starter, and so not ended with it",
    async () => {
      const dataDir = await usedDataDir();
      const lease = await ensurePostgres({ dataDir, settings });
      const server = running(dataDir);
      const status = await readFile(`/proc/${server?.pid}/status`, "utf8");
      expect(Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])).not.toBe(process.pid);
      expect(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])).not.toBe(0);
      await lease.release();
    },
  );

  test("says in one line that the cluster is damaged or the password wrong, and touches nothing", async () => {
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
    const password = join(dataDir, "postgres", "password");
    const kept = await readFile(password, "utf8");
    await writeFile(password, "not-the-password");
    await expect(ensurePostgres({ dataDir, settings })).rejects.toMatchObject({
      name: "PostgresStartError",
      message: expect.stringMatching(/refuses the password in [^\n]+$/),
    });
    await writeFile(password, kept);
    const again = await ensurePostgres({ dataDir, settings });
    expect(await ask(again.url)).toStartWith("18.");
    await again.release();
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
