import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import { isAlive, runningPostmaster, startError } from "./server.ts";

const layout: Layout = {
  folder: "/data/postgres",
  cluster: "/data/postgres/cluster",
  password: "/data/postgres/password",
  port: "/data/postgres/port",
  log: "/data/postgres/server.log",
  startLock: "/data/postgres/start.lock",
  usersLock: "/data/postgres/users.lock",
};

describe("startError", () => {
  for (const [output, code, words] of [
    ["PANIC:  could not write to file: No space left on device", "ENOSPC", "is full"],
    ['FATAL:  could not extend file "base/1/1249": wrote only 4096 of 8192 bytes at block 1', "ENOSPC", "is full"],
    ['FATAL:  could not create lock file "postmaster.pid": Read-only file system', "EROFS", "read-only"],
    ['FATAL:  could not open file "x": Permission denied', "EACCES", "/data/postgres"],
    ["PANIC:  could not locate a valid checkpoint record at 0/14FC7B8", "EDAMAGED", "damaged"],
    ['FATAL:  could not open file "global/pg_control": No such file or directory', "EDAMAGED", "damaged"],
    ["FATAL:  database files are incompatible with server", "EDAMAGED", "another version"],
    [
      "FATAL:  terminating connection due to unexpected postmaster exit\nFATAL:  pre-existing shared memory block is still in use",
      "EFAILED",
      "still in use",
    ],
    ["something else altogether", "EFAILED", "/data/postgres/server.log"],
  ] as const) {
    test(`turns "${output.slice(0, 60)}" into one line that says ${words}`, () => {
      const error = startError(layout, `LOG:  starting\n${output}\nLOG:  shut down\n`, "the server ended (exit 1)");
      expect(error.code).toBe(code);
      expect(error.message).toContain(words);
      expect(error.message).not.toContain("\n");
    });
  }
});

let cluster: string;

beforeAll(async () => {
  cluster = await mkdtemp(join(tmpdir(), "isnad-pidfile-"));
});

afterAll(() => rm(cluster, { recursive: true, force: true }));

const write = (pid: number | string, status: string) =>
  writeFile(join(cluster, "postmaster.pid"), `${pid}\n${cluster}\n1700000000\n54321\n\n127.0.0.1\n 1 2\n${status}\n`);

/** Waits until the process runs under its own name: just after the fork it still has its parent's. */
async function hasName(pid: number, name: string): Promise<void> {
  while (process.platform === "linux" && !readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(name)) {
    await Bun.sleep(1);
  }
}

describe("runningPostmaster", () => {
  test("finds none where there is no file, or one of a process that is gone", async () => {
    expect(runningPostmaster(cluster)).toBeUndefined();
    const child = spawn("true");
    await once(child, "exit");
    await write(child.pid ?? 0, "ready   ");
    expect(runningPostmaster(cluster)).toBeUndefined();
  });

  test("finds none when another program has got the number since", async () => {
    await write(process.pid, "ready   ");
    const cmdline = process.platform === "linux" ? runningPostmaster(cluster) : undefined;
    expect(cmdline).toBeUndefined();
  });

  test.skipIf(process.platform !== "linux")("finds none when the Postgres of another cluster has got it", async () => {
    const child = spawn("sleep", ["600"], { argv0: "postgres", cwd: tmpdir() });
    await hasName(child.pid ?? 0, "postgres");
    for (const status of ["starting", "ready   ", "stopping"]) {
      await write(child.pid ?? 0, status);
      expect(runningPostmaster(cluster)).toBeUndefined();
    }
    child.kill("SIGKILL");
    await once(child, "exit");
  });

  test("finds none in a file that was cut off", async () => {
    await writeFile(join(cluster, "postmaster.pid"), "");
    expect(runningPostmaster(cluster)).toBeUndefined();
  });

  test("tells a server that is ready from one that is starting or stopping", async () => {
    // A process with the right name, as far as the process table goes.
    const child = spawn("sleep", ["600"], { argv0: "postgres", cwd: cluster });
    await hasName(child.pid ?? 0, "postgres");
    await write(child.pid ?? 0, "starting");
    expect(runningPostmaster(cluster)).toEqual({ pid: child.pid ?? 0, port: 54321, status: "starting" });
    await write(child.pid ?? 0, "ready   ");
    expect(runningPostmaster(cluster)).toEqual({ pid: child.pid ?? 0, port: 54321, status: "ready" });
    await write(child.pid ?? 0, "stopping");
    expect(runningPostmaster(cluster)?.status).toBe("stopping");
    child.kill("SIGKILL");
    await once(child, "exit");
  });
});

describe("isAlive", () => {
  test("is so for this process and not for one that has ended", async () => {
    expect(isAlive(process.pid)).toBe(true);
    const child = spawn("true");
    await once(child, "exit");
    expect(isAlive(child.pid ?? 0)).toBe(false);
  });

  test.skipIf(process.platform !== "linux")(
    "a process that has ended is not alive before its starter hears of it",
    async () => {
      // The shell becomes a program that never asks after the child that it has started.
      const starter = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
      const [line] = await once(starter.stdout, "data");
      const pid = Number(String(line));
      const status = () => readFileSync(`/proc/${pid}/stat`, "utf8");
      while (!status().includes(") Z ")) await Bun.sleep(5);
      expect(isAlive(pid)).toBe(false);
      starter.kill("SIGKILL");
      await once(starter, "exit");
    },
  );
});
