import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries, healLinks } from "./binaries.ts";

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
