import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSecrets } from "./compose-secrets.ts";

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
