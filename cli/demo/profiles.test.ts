import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_SOURCE, writeProfiles } from "./profiles.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-demo-profiles-"));
afterAll(() => rmSync(dir, { recursive: true }));
const shipped = join(import.meta.dirname, "../../profiles");

test("every shipped profile is there, the demo's with the address of the site, and nothing of an earlier run", () => {
  writeFileSync(join(dir, "old.json"), "{}");
  writeProfiles(dir, "http://127.0.0.1:4711");
  expect(readdirSync(dir).sort()).toEqual(readdirSync(shipped).sort());
  expect(existsSync(join(dir, "old.json"))).toBe(false);
  const profile = JSON.parse(readFileSync(join(dir, "demo.json"), "utf8"));
  const addresses: string[] = [profile.source.homepage, profile.feeds[0].url, profile.sitemaps[0].url];
  for (const address of addresses) expect(address).toStartWith("http://127.0.0.1:4711/");
  expect(profile.source.id).toBe(DEMO_SOURCE);
});
