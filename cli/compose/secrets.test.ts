import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { composeSecrets, makeSecrets } from "./secrets.ts";

test("every secret is made once, in a folder that nobody else can look into", () => {
  const parent = mkdtempSync(join(tmpdir(), "isnad-secrets-"));
  const dir = join(parent, "secrets");
  const made = makeSecrets(dir);
  expect(made.toSorted()).toEqual(readdirSync(dir).toSorted());
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  const url = new URL(readFileSync(join(dir, "database_url"), "utf8").trim());
  expect(url.password).toBe(readFileSync(join(dir, "postgres_password"), "utf8").trim());
  expect(url.password.length).toBeGreaterThan(30);
  expect(makeSecrets(dir)).toEqual([]);
  expect(new URL(readFileSync(join(dir, "database_url"), "utf8").trim()).href).toBe(url.href);
  rmSync(parent, { recursive: true });
});

test("the command names what it made, and makes nothing when it is only asked for help", async () => {
  const parent = mkdtempSync(join(tmpdir(), "isnad-secrets-"));
  const SECRETS_DIR = join(parent, "secrets");
  const help = captureIo({ SECRETS_DIR });
  expect(await runCommand(composeSecrets, ["--help"], help.io)).toBe(0);
  expect(readdirSync(parent)).toEqual([]);
  const { io, out } = captureIo({ SECRETS_DIR });
  expect(await runCommand(composeSecrets, ["--json"], io)).toBe(0);
  expect(JSON.parse(out())).toMatchObject({ dir: SECRETS_DIR, made: expect.arrayContaining(["database_url"]) });
  rmSync(parent, { recursive: true });
});
