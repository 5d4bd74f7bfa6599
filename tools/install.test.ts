import { afterEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, missingPackages } from "./install.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A repository of one workspace that depends on a package beside it, with a lockfile and nothing installed. */
function repository(): string {
  const root = mkdtempSync(join(tmpdir(), "isnad-install-"));
  folders.push(root);
  const write = (path: string, value: unknown) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  };
  write("beside/package.json", { name: "beside", version: "1.2.3" });
  write("service/package.json", { name: "service", version: "0.0.0", dependencies: { beside: "file:../beside" } });
  write("package.json", { name: "root", workspaces: ["service"], devDependencies: {} });
  const { status, stderr } = spawnSync(process.execPath, ["install"], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  rmSync(join(root, "node_modules"), { recursive: true });
  return root;
}

test("what is missing is installed once, and then there is nothing to do", () => {
  const root = repository();
  expect(missingPackages(root, { dev: false })).toEqual(["beside"]);
  expect(ensureInstalled(root, { dev: false })).toBe(true);
  const installed = join(root, "service", "node_modules", "beside", "package.json");
  const before = statSync(installed).mtimeMs;
  expect(ensureInstalled(root, { dev: false })).toBe(false);
  expect(statSync(installed).mtimeMs).toBe(before);
});

test("where nothing is missing nothing has to be written: a read-only image starts all the same", () => {
  const root = repository();
  spawnSync(process.execPath, ["install"], { cwd: root });
  symlinkSync(join(root, "not-there", "stamp"), join(root, "node_modules", ".installed"));
  expect(ensureInstalled(root, { dev: false })).toBe(false);
});

test("an installation that was cut short is done again", () => {
  const root = repository();
  ensureInstalled(root, { dev: false });
  writeFileSync(join(root, "node_modules", ".installed"), "");
  expect(ensureInstalled(root, { dev: false })).toBe(true);
  expect(ensureInstalled(root, { dev: false })).toBe(false);
});

test("another lockfile is installed although every package is there", () => {
  const root = repository();
  ensureInstalled(root, { dev: false });
  const lock = join(root, "bun.lock");
  writeFileSync(lock, `${readFileSync(lock, "utf8")}\n`);
  expect(ensureInstalled(root, { dev: false })).toBe(true);
});

test("what somebody installed by hand is left as it is", () => {
  const root = repository();
  spawnSync(process.execPath, ["install"], { cwd: root });
  expect(ensureInstalled(root, { dev: false })).toBe(false);
});

test("a package of another version counts as missing", () => {
  const root = repository();
  ensureInstalled(root, { dev: false });
  writeFileSync(
    join(root, "service/package.json"),
    JSON.stringify({ name: "service", version: "0.0.0", dependencies: { beside: "1.2.4" } }),
  );
  expect(missingPackages(root, { dev: false })).toEqual(["beside"]);
});

test("an installation that fails says so, and is tried again at the next start", () => {
  const root = repository();
  writeFileSync(join(root, "bun.lock"), "no lockfile");
  expect(() => ensureInstalled(root, { dev: false })).toThrow("could not be installed");
  expect(readFileSync(join(root, "node_modules", ".installed"), "utf8")).toBe("");
});

test("every script that runs our code, or a program of a package, installs first", () => {
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
  );
  const without = Object.entries(manifest.scripts).filter(
    ([, script]) => !script.startsWith("bun tools/install.ts ") && !script.includes("python3"),
  );
  expect(without.map(([name]) => name)).toEqual([]);
});
