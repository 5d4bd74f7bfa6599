import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { storyPage } from "../crawl/testing.ts";
import { profileFile } from "../testing/profiles.ts";
import { checkFixture, fixtureDir, FixtureError, readFixtures, writeFixture } from "./check-profile.ts";
import { loadProfiles, SHIPPED_PROFILES } from "./profiles.ts";
import { createProfileSchema } from "./schema.ts";

const reader = new ReaderPool();
const folder = mkdtempSync(join(tmpdir(), "isnad-fixtures-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await reader.close();
});

const { profiles } = await loadProfiles(SHIPPED_PROFILES, loadTaxonomy());
const shipped = readdirSync(join(SHIPPED_PROFILES, "fixtures")).flatMap((name) =>
  readFixtures(fixtureDir(SHIPPED_PROFILES, name)).map((fixture) => ({ name, fixture })),
);

test.each(shipped.map(({ name, fixture }) => [name, fixture.name, fixture] as const))(
  "the profile %s reads its saved page %s as it did",
  async (name, _, fixture) => {
    const profile = profiles.get(name);
    if (profile === undefined) throw new Error(`there is no profile ${name}`);
    expect(await checkFixture(reader, profile, fixture)).toEqual([]);
  },
);

test("pages of more than one design are among the saved ones", () => {
  expect(shipped.filter(({ name }) => name === "demo").length).toBeGreaterThanOrEqual(2);
});

test("what a profile reads otherwise than before is named, field by field", async () => {
  const parse = (article: object) => createProfileSchema([]).parse(profileFile({ article }));
  const page = { html: storyPage("One"), url: "https://a.test/one-1" };
  const dir = fixtureDir(folder, "alpha");
  await writeFixture(reader, parse({ content: "article" }), { dir, name: "one", ...page });
  const [fixture] = readFixtures(dir);
  if (fixture === undefined) throw new Error("no fixture was written");
  expect(fixture).toMatchObject({ name: "one", url: page.url, expected: { title: "One" } });
  expect(await checkFixture(reader, parse({ content: "article" }), fixture)).toEqual([]);
  const other = await checkFixture(reader, parse({ content: "footer", title: "nav" }), fixture);
  expect(other).toMatchObject([
    { fixture: "one", field: "title", expected: "One", actual: "Home" },
    { fixture: "one", field: "content", actual: "All rights reserved" },
  ]);
});

test("a fixture without its page, or of another form, is named", () => {
  expect(readFixtures(fixtureDir(folder, "none"))).toEqual([]);
  const dir = fixtureDir(folder, "broken");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "two.json"), "{}");
  expect(() => readFixtures(dir)).toThrow(FixtureError);
  expect(() => readFixtures(dir)).toThrow(/broken\/two cannot be read/);
});
