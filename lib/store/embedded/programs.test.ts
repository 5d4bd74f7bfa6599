import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountFor, findBinaries, healLinks } from "./programs.ts";

const asRoot = process.getuid?.() === 0;

async function inFolder(mode: number, check: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "isnad-account-"));
  try {
    await chmod(folder, mode);
    await check(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("accountFor", () => {
  test.skipIf(asRoot)("leaves everything as it is for an ordinary user", () => {
    const account = accountFor("/nowhere/cluster", ["/nowhere"]);
    expect(account.ids).toEqual({});
    expect(account.command("/bin/true", ["-x"])).toEqual(["/bin/true", ["-x"]]);
  });

  test.skipIf(!asRoot)("as root picks an unprivileged account, and gives it its files", () =>
    inFolder(0o755, async (folder) => {
      const cluster = join(folder, "cluster");
      const account = accountFor(cluster, [cluster, "/bin/true"]);
      expect(account.ids.uid).toBeGreaterThan(0);
      expect(account.command("/bin/true", ["-x"])).toEqual(["/bin/true", ["-x"]]);
      await mkdir(cluster);
      account.own(cluster);
      expect((await stat(cluster)).uid).toBe(account.ids.uid ?? -1);
    }),
  );

  test.skipIf(!asRoot)("as root stays with the account that owns the cluster", () =>
    inFolder(0o755, async (folder) => {
      const cluster = join(folder, "cluster");
      await mkdir(cluster);
      await chown(cluster, 4321, 4322);
      expect(accountFor(cluster, [cluster]).ids).toEqual({ uid: 4321, gid: 4322 });
    }),
  );

  test.skipIf(!asRoot)("as root lets the account read below a folder that is closed to it", () =>
    inFolder(0o700, async (folder) => {
      const secret = join(folder, "file");
      await writeFile(secret, "readable", { mode: 0o600 });
      const account = accountFor(join(folder, "cluster"), [join(folder, "cluster")]);
      const [program, args] = account.command("cat", [secret]);
      expect(program).toBe("setpriv");
      expect(spawnSync(program, args).stdout.toString()).toBe("readable");
      const [who, whoArgs] = account.command("id", ["-u"]);
      expect(Number(spawnSync(who, whoArgs).stdout.toString())).toBeGreaterThan(0);
    }),
  );
});

describe("findBinaries", () => {
  test("finds programs of Postgres 18 that run", async () => {
    const { postgres, initdb } = await findBinaries();
    for (const program of [postgres, initdb]) {
      expect(spawnSync(program, ["--version"]).stdout.toString()).toMatch(/\(PostgreSQL\) 18\./);
    }
  });
});

describe("healLinks", () => {
  test("makes the links that are missing, and leaves those that are there", async () => {
    const root = await mkdtemp(join(tmpdir(), "isnad-links-"));
    const native = join(root, "native");
    await mkdir(join(native, "lib"), { recursive: true });
    await writeFile(join(native, "lib", "libx.so.1.2"), "library");
    await writeFile(
      join(native, "pg-symlinks.json"),
      JSON.stringify([
        { source: "native/lib/libx.so.1.2", target: "native/lib/libx.so" },
        { source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" },
      ]),
    );
    await healLinks(native);
    await healLinks(native);
    expect(await readlink(join(native, "lib", "libx.so.1"))).toBe("libx.so.1.2");
    expect(await readFile(join(native, "lib", "libx.so"), "utf8")).toBe("library");
    await rm(root, { recursive: true });
  });

  test("does nothing for a platform without such a list", async () => {
    const root = await mkdtemp(join(tmpdir(), "isnad-links-"));
    await healLinks(root);
    await rm(root, { recursive: true });
  });

  test("says which link it cannot make", async () => {
    const root = await mkdtemp(join(tmpdir(), "isnad-links-"));
    const list = JSON.stringify([{ source: "native/no/x.1", target: "native/no/x" }]);
    await mkdir(join(root, "native"));
    await writeFile(join(root, "native", "pg-symlinks.json"), list);
    await expect(healLinks(join(root, "native"))).rejects.toThrow(/lack the link .*no\/x, .*ENOENT/);
    await rm(root, { recursive: true });
  });
});
