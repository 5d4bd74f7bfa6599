import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { envExample, syncEnvExample } from "./env-example.ts";
import { loadConfig, options } from "@isnad/lib/service/config";

test("every option has its documentation, its unit and its default, commented out", () => {
  const text = envExample(options);
  for (const { name, default: value, doc, unit } of options) {
    expect(text).toContain(`# ${doc}\n# ${unit}`);
    expect(text).toContain(`\n#${name}=${value}\n`);
  }
});

test("secrets are marked, and nothing is set before it is uncommented", () => {
  const text = envExample(options);
  expect(text).toContain("# list of token, secret\n#INGEST_TOKEN=\n");
  expect(text.split("\n").every((line) => line === "" || line.startsWith("#"))).toBe(true);
});

test("with every line uncommented the configuration is the default one", () => {
  const lines = envExample(options)
    .split("\n")
    .filter((line) => /^#[A-Z]/.test(line));
  const env = Object.fromEntries(lines.map((line) => line.slice(1).split(/=(.*)/s).slice(0, 2)));
  expect(loadConfig(env)).toEqual(loadConfig({}));
});

test("a file that differs is noticed, and written anew when asked", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-env-"));
  const path = join(dir, ".env.example");
  expect(syncEnvExample(path)).toBe(false);
  expect(syncEnvExample(path, { write: true })).toBe(true);
  writeFileSync(path, "#PORT=1\n");
  expect(syncEnvExample(path)).toBe(false);
  rmSync(dir, { recursive: true });
});

test("the repository's .env.example is what the options say", () => {
  expect(syncEnvExample(join(import.meta.dirname, "../.env.example"))).toBe(true);
});
