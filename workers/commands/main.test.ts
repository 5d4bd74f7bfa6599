import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

function run(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, DATA_DIR: "/nonexistent/isnad" };
  return spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...argv], { encoding: "utf8", env });
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const commands = Object.values(scripts).flatMap(
  (script) => script.match(/^bun workers\/commands\/main\.ts (\S+)$/)?.[1] ?? [],
);

test.each([...new Set(commands)])("%s, a script of package.json, is there and explains itself", (name) => {
  const { status, stdout, stderr } = run(name, "--help");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Usage: bun run ${name}`);
});

test("a command that is not there is exit code 2 and names those that are; so is an option that is not there", () => {
  const { status, stderr } = run("crawl:everything");
  expect(status).toBe(2);
  expect(stderr).toContain("crawl:source");
  expect(run("news:pull", "--no-such-option").status).toBe(2);
});
