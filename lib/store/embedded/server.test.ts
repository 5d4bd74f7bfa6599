import { describe, expect, test } from "bun:test";
import type { Layout } from "./layout.ts";
import { startError } from "./server.ts";

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
