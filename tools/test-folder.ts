import { accessSync, chmodSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** A folder for the temporary files of the tests. */
type TestFolder = { path: string; remove(): void };

/** Says where Linux keeps a file system in memory. */
const MEMORY = "/dev/shm";

/** Holds what the tests need of it (they take 350 MB at most), and of the memory of the machine, in bytes. */
const LEAST = { file: 1.5 * 2 ** 30, memory: 3 * 2 ** 30 };

const NAME = /^isnad-tests-(\d+)$/;

/** Holds what is asked of the machine. */
export type Machine = { memory: string; mounts: string; free: { file: number; memory: number } };

/**
 * A folder in memory for the tests, which make and remove some hundred thousand files: a disk takes a third of all
 * processor time for them. Undefined where there is none, or too little memory, or one that forbids programs.
 */
export function testFolder(machine = thisMachine()): TestFolder | undefined {
  if (machine === undefined || !isEnough(machine)) return undefined;
  removeLeftovers(machine.memory);
  const path = join(machine.memory, `isnad-tests-${process.pid}`);
  mkdirSync(path, { recursive: true });
  // The account that Postgres runs under has to come through.
  chmodSync(path, 0o711);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function isEnough({ memory, mounts, free }: Machine): boolean {
  const mount = mounts.split("\n").find((line) => line.split(" ")[1] === memory);
  const [, , type, options = ""] = mount?.split(" ") ?? [];
  return (
    type === "tmpfs" && !options.split(",").includes("noexec") && free.file >= LEAST.file && free.memory >= LEAST.memory
  );
}

function thisMachine(): Machine | undefined {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync("/proc/mounts", "utf8");
    return { memory: MEMORY, mounts, free: { file: bavail * bsize, memory: freemem() } };
  } catch {
    return undefined; // not on Linux, or in a container without one
  }
}

/** Removes what runs left that were killed. */
function removeLeftovers(memory: string): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
