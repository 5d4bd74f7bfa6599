import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { COMMANDS } from "./main.ts";

const ROOT = join(import.meta.dirname, "..");

function run(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, DATA_DIR: "/nonexistent/isnad", API_URL: "" };
  return spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...argv], { encoding: "utf8", env });
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const commands = Object.values(scripts).flatMap(
  (script) => script.match(/^bun tools\/install\.ts && exec bun cli\/main\.ts (\S+)$/)?.[1] ?? [],
);

test.each([...new Set(commands)])("%s, a script of package.json, is there and explains itself", async (name) => {
  const command = await COMMANDS[name]?.();
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const { io, out, err } = captureIo();
  expect([await runCommand(command, ["--help"], io), err()]).toEqual([0, ""]);
  expect(out()).toContain(`Usage: bun run ${name}`);
  expect(out()).toContain("--json");
  expect(await runCommand(command, ["--no-such-option"], io)).toBe(2);
});

test("as a process a command writes its help to standard output and ends with 0, and with 2 after wrong usage", () => {
  const { status, stdout, stderr } = run("sources:list", "--help");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Usage: bun run sources:list");
  expect(run("sources:list", "--no-such-option").status).toBe(2);
});

test("a command that is not there, or none, is exit code 2 and names those that are", () => {
  for (const argv of [["articles:export"], []]) {
    const { status, stderr } = run(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain("articles:import");
  }
});

test("options that exclude each other are wrong usage", () => {
  const { status, stderr } = run("search:reindex", "--keyword", "--vectors");
  expect(status).toBe(2);
  expect(stderr).toContain("exclude each other");
});

test("a wrong environment is one line that names the variable, and exit code 1", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), "search:setup"], {
    encoding: "utf8",
    env: { ...process.env, API_PORT: "many" },
  });
  expect(status).toBe(1);
  expect(stderr).toContain("API_PORT");
  expect(stderr.trimEnd().split("\n").length).toBe(1);
});
