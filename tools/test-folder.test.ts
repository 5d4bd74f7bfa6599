import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Machine, testFolder } from "./test-folder.ts";

const memory = mkdtempSync(join(tmpdir(), "isnad-memory-"));
afterAll(() => rmSync(memory, { recursive: true }));

const GB = 2 ** 30;
const machine = (change: Partial<Machine> = {}): Machine => ({
  memory,
  mounts: `/dev/vda / ext4 rw 0 0\ntmpfs ${memory} tmpfs rw,nosuid,nodev 0 0\n`,
  free: { file: 12 * GB, memory: 12 * GB },
  ...change,
});

describe("testFolder()", () => {
  test("makes a folder that other accounts can come through, and removes it with what is in it", () => {
    const folder = testFolder(machine());
    const { path = "" } = folder ?? {};
    expect(statSync(path).mode & 0o777).toBe(0o711);
    writeFileSync(join(path, "file"), "");
    folder?.remove();
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ["forbids programs", machine({ mounts: `tmpfs ${memory} tmpfs rw,nosuid,nodev,noexec 0 0\n` })],
    ["is a disk", machine({ mounts: `/dev/vdb ${memory} ext4 rw 0 0\n` })],
    ["is no file system of its own", machine({ mounts: "tmpfs / tmpfs rw 0 0\n" })],
    ["is small", machine({ free: { file: GB / 16, memory: 12 * GB } })],
    ["belongs to a machine that is short of memory", machine({ free: { file: 12 * GB, memory: GB } })],
  ])("makes none where the file system %s", (_, given) => {
    expect(testFolder(given)).toBeUndefined();
  });

  test("removes what a run left that has ended, and nothing of one that goes on or of others", () => {
    const { pid: ended } = spawnSync("true");
    const names = [`isnad-tests-${ended}`, `isnad-tests-${process.ppid}`, "isnad-tests-x", "others"];
    for (const name of names) mkdirSync(join(memory, name));
    testFolder(machine())?.remove();
    expect(names.map((name) => existsSync(join(memory, name)))).toEqual([false, true, true, true]);
  });
});
