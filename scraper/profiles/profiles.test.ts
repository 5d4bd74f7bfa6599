import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { collectingLogger } from "../testing/scraper.ts";
import { profileFile } from "../testing/profiles.ts";
import { categoriesOf, createProfiles, watchProfiles } from "./profiles.ts";
import { createProfileSchema } from "./schema.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "isnad-profiles-"));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

function open(enable: string[] = []) {
  const { logger, lines } = collectingLogger();
  return { profiles: createProfiles({ dir, enable, taxonomy: loadTaxonomy(), logger }), logger, lines };
}

const write = (name: string, over: Record<string, unknown> = {}) =>
  writeFile(join(dir, `${name}.json`), JSON.stringify(profileFile({ name, ...over }), null, 2));

const namesOf = ({ profiles }: Pick<ReturnType<typeof open>, "profiles">) => profiles.all().map(({ name }) => name);

describe("the profiles in force", () => {
  test("are none before the first reading, then those of the folder", async () => {
    await write("alpha");
    const opened = open();
    expect(namesOf(opened)).toEqual([]);
    await opened.profiles.reload();
    expect(namesOf(opened)).toEqual(["alpha"]);
    expect(opened.profiles.get("alpha")?.source.name).toBe("Alpha News");
    expect(opened.lines.at(-1)).toMatchObject({ msg: "profiles loaded", profiles: 1, skipped: 0 });
  });

  test("follow the folder: a file that comes, goes, changes, turns bad and is mended", async () => {
    await write("alpha");
    await write("beta");
    const opened = open();
    await opened.profiles.reload();
    await write("gamma");
    await rm(join(dir, "alpha.json"));
    await writeFile(join(dir, "beta.json"), '{\n  "name": "beta",\n}');
    await opened.profiles.reload();
    expect(namesOf(opened)).toEqual(["gamma"]);
    expect(opened.lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        msg: "profile skipped",
        file: "beta.json",
        line: 3,
        reason: "a key in double quotes is expected",
      }),
    );
    await write("beta", { language: "ar" });
    await opened.profiles.reload();
    expect(opened.profiles.get("beta")?.language).toBe("ar");
  });

  test("stay as they are while the folder cannot be read", async () => {
    await write("alpha");
    const opened = open();
    await opened.profiles.reload();
    await rename(dir, `${dir}-away`);
    await opened.profiles.reload();
    expect(namesOf(opened)).toEqual(["alpha"]);
    expect(opened.lines.at(-1)).toMatchObject({ level: "error", msg: "the folder of profiles cannot be read" });
    await rename(`${dir}-away`, dir);
  });

  test("many calls at once share two readings: the one under way may have missed a change", async () => {
    await write("alpha");
    const opened = open();
    let readings = 0;
    opened.profiles.onReload(() => readings++);
    await Promise.all(Array.from({ length: 20 }, () => opened.profiles.reload()));
    expect(namesOf(opened)).toEqual(["alpha"]);
    expect(readings).toBe(2);
  });

  test("are enabled by name or all at once, whatever their files say", async () => {
    await write("alpha", { enabled: false });
    await write("beta", { enabled: false });
    const enabled = async (enable: string[]) => {
      const { profiles, lines } = open(enable);
      await profiles.reload();
      return { names: profiles.all().flatMap((each) => (each.enabled ? each.name : [])), lines };
    };
    expect((await enabled([])).names).toEqual([]);
    expect((await enabled(["all"])).names).toEqual(["alpha", "beta"]);
    const some = await enabled(["beta", "delta"]);
    expect(some.names).toEqual(["beta"]);
    expect(some.lines).toContainEqual(expect.objectContaining({ level: "warn", unknown: ["delta"] }));
  });
});

describe("watchProfiles()", () => {
  test("a change of the folder is in force without being asked for", async () => {
    await write("alpha");
    const opened = open();
    await opened.profiles.reload();
    const stop = watchProfiles(opened.profiles, { dir, logger: opened.logger, quietMs: 5 });
    const reloaded = new Promise<void>((resolve) => {
      opened.profiles.onReload(() => {
        if (opened.profiles.get("beta") !== undefined) resolve();
      });
    });
    await write("beta");
    await reloaded;
    expect(namesOf(opened)).toEqual(["alpha", "beta"]);
    stop();
  });

  test("a folder that is not there is a line in the log", async () => {
    const opened = open();
    watchProfiles(opened.profiles, { dir: join(dir, "nowhere"), logger: opened.logger })();
    expect(opened.lines).toEqual([expect.objectContaining({ msg: "the folder of profiles cannot be watched" })]);
  });
});

const categories = ["politics", "sport", "world"];

const of = (over: Record<string, unknown>) =>
  categoriesOf(createProfileSchema(categories).parse(profileFile(over)), { categories });

test("the categories of a profile are those of its map, each once, in the order of the taxonomy", () => {
  expect(of({ category_map: { Ball: "sport", Polls: "politics", Goals: "sport" } })).toEqual(["politics", "sport"]);
  expect(of({})).toEqual([]);
});

test("the category of a feed, by itself or through the map, is one of them", () => {
  const feeds = [
    { url: "https://a.test/1", category: "world" },
    { url: "https://a.test/2", category: "Ball" },
  ];
  expect(of({ feeds, category_map: { Ball: "sport" } })).toEqual(["sport", "world"]);
});
