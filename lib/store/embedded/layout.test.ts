import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  choosePort,
  folderError,
  type Layout,
  lockStart,
  openLayout,
  readOrMakePassword,
  rememberedPort,
  rememberPort,
} from "./layout.ts";
import { takePort } from "../testing-faults.ts";

describe("layout", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "isnad-layout-"));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe("openLayout", () => {
    test("makes the folder and leaves nothing else in it", async () => {
      const layout = await openLayout(join(folder, "data"));
      expect((await stat(layout.folder)).isDirectory()).toBe(true);
      expect([...new Bun.Glob("*").scanSync({ cwd: layout.folder, dot: true })]).toEqual([]);
    });

    test("says in one line that a folder cannot be made", async () => {
      await writeFile(join(folder, "file"), "");
      await expect(openLayout(join(folder, "file"))).rejects.toMatchObject({
        name: "PostgresStartError",
        message: expect.stringMatching(/^cannot write to [^\n]+$/),
      });
    });
  });

  describe("folderError", () => {
    test("names the reason in words", () => {
      for (const [code, words] of [
        ["ENOSPC", "the disk is full"],
        ["EROFS", "the file system is read-only"],
        ["EACCES", "permission denied"],
      ] as const) {
        const error = folderError("/data/postgres", Object.assign(new Error("raw"), { code }));
        expect(error.message).toBe(`cannot write to /data/postgres: ${words}`);
        expect(error.code).toBe(code);
      }
    });
  });

  describe("readOrMakePassword", () => {
    test("makes a password once, readable by its owner alone", async () => {
      const path = join(folder, "password");
      const password = await readOrMakePassword(path);
      expect(password).toMatch(/^[\w-]{43}$/);
      expect(await readOrMakePassword(path)).toBe(password);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    });
  });

  describe("the remembered port", () => {
    test("is there after it was kept, and only if it is one", async () => {
      const path = join(folder, "port");
      expect(await rememberedPort(path)).toBeUndefined();
      await rememberPort(path, 54321);
      expect(await rememberedPort(path)).toBe(54321);
      await writeFile(path, "99999");
      expect(await rememberedPort(path)).toBeUndefined();
      await writeFile(path, "no port");
      expect(await rememberedPort(path)).toBeUndefined();
    });

    test("is used again as soon as nobody listens there, and not waited for longer than it may be", async () => {
      const free = await choosePort(undefined, 0);
      expect(await choosePort(free, 0)).toBe(free);
      const giveBack = await takePort(free);
      expect(await choosePort(free, 0)).not.toBe(free);
      const waited = choosePort(free, 300_000);
      giveBack();
      expect(await waited).toBe(free);
    });
  });
});

describe("start lock", () => {
  let folder: string;
  let layout: Layout;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "isnad-start-lock-"));
    layout = await openLayout(folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe("lockStart", () => {
    test("waits until the lock is free", async () => {
      const first = await lockStart(layout);
      let got = false;
      const second = lockStart(layout).then((lock) => {
        got = true;
        return lock;
      });
      await Bun.sleep(60);
      expect(got).toBe(false);
      first.release();
      (await second).release();
    });

    test("names the process that does not give it up", async () => {
      const lock = await lockStart(layout);
      await expect(lockStart(layout, 100)).rejects.toMatchObject({
        code: "EBUSY",
        message: expect.stringContaining(`process ${process.pid} has been starting or stopping`),
      });
      lock.release();
    });

    test("waits on while the clock of the machine is set an hour ahead", async () => {
      const lock = await lockStart(layout);
      const child = Bun.spawn([process.execPath, join(import.meta.dirname, "testing-clock-child.ts"), folder], {
        stdout: "pipe",
        stderr: "inherit",
      });
      const said = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      expect((await said.read()).value).toBe("set\n");
      // Longer than it waits between two tries.
      await Bun.sleep(100);
      lock.release();
      expect((await said.read()).value).toBe("locked\n");
      expect(await child.exited).toBe(0);
    });

    test("says in one line that the folder has gone", async () => {
      const gone = await openLayout(join(folder, "gone"));
      await rm(gone.folder, { recursive: true });
      await expect(lockStart(gone)).rejects.toMatchObject({
        name: "PostgresStartError",
        message: expect.stringMatching(/^cannot write to [^\n]+$/),
      });
    });
  });
});
