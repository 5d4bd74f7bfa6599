import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Layout, openLayout } from "./layout.ts";
import { lockStart } from "./start-lock.ts";

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
