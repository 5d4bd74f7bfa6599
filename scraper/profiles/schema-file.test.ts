import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { scraperSchema } from "../../cli/profiles/schema.ts";
import { collectingLogger } from "../testing/logger.ts";
import { createProfiles } from "./profiles.ts";
import { SHIPPED_PROFILES, schemaText, syncSchemaFile } from "./schema-file.ts";

test("the repository's schema file is what the validating schema says", () => {
  expect(syncSchemaFile(SHIPPED_PROFILES)).toBe(true);
});

test("every field of the schema is described in both languages", () => {
  const undescribed: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    const properties = "properties" in node ? Object.entries(Object(node.properties)) : [];
    for (const [name, field] of properties) {
      const { description = "" } = Object(field);
      if (!/^[A-Z].+\n.*[\u0600-\u06ff]/.test(description)) undescribed.push(`${path}.${name}`);
      visit(field, `${path}.${name}`);
    }
    if ("items" in node) visit(node.items, path);
  };
  visit(JSON.parse(schemaText()), "");
  expect(undescribed).toEqual([]);
});

test("scraper:schema writes the file, and --check tells when it differs", async () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-schema-"));
  const file = join(dir, "profile.schema.json");
  const run = async (...flags: string[]) => {
    const { io, err } = captureIo();
    return { code: await runCommand(scraperSchema, ["--dir", dir, ...flags], io), err: err() };
  };
  expect((await run("--check")).code).toBe(1);
  expect(existsSync(file)).toBe(false);
  expect((await run()).code).toBe(0);
  expect(await run("--check")).toEqual({ code: 0, err: "" });
  writeFileSync(file, readFileSync(file, "utf8").replace("pattern", "patern"));
  expect(await run("--check")).toEqual({ code: 1, err: expect.stringContaining("bun run scraper:schema") });
  rmSync(dir, { recursive: true });
});

test("every profile that comes with the repository is valid", async () => {
  const { logger } = collectingLogger();
  const profiles = createProfiles({ dir: SHIPPED_PROFILES, taxonomy: loadTaxonomy(), logger });
  await profiles.reload();
  expect(profiles.problems()).toEqual([]);
  expect(profiles.get("demo")).toBeDefined();
});
