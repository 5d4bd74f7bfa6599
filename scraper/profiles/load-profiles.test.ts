import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { scraperSchema } from "../../cli/profiles/profile.ts";
import { collectingLogger } from "../testing/scraper.ts";
import { profileFile } from "../testing/profiles.ts";
import {
  createProfiles,
  JsonSyntaxError,
  loadProfiles,
  readJsonText,
  schemaText,
  SHIPPED_PROFILES,
  syncSchemaFile,
} from "./profiles.ts";

describe("load profiles", () => {
  const taxonomy = loadTaxonomy();
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "isnad-profiles-"));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  const write = (file: string, content: string | Uint8Array | Record<string, unknown>) =>
    writeFile(
      join(dir, file),
      typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content, null, 2),
    );

  describe("loadProfiles()", () => {
    test("reads every profile of a folder, and passes over the schema and what is no JSON file", async () => {
      await write("beta.json", profileFile({ name: "beta" }));
      await write("alpha.json", profileFile());
      await write("profile.schema.json", "{}");
      await write(".hidden.json", "{");
      await write("notes.txt", "{");
      const { profiles, problems } = await loadProfiles(dir, taxonomy);
      expect([...profiles.keys()]).toEqual(["alpha", "beta"]);
      expect(problems).toEqual([]);
    });

    test("names file, line and field of everything that is wrong, and keeps the good ones", async () => {
      await write("alpha.json", profileFile());
      await write("broken.json", '{\n  "name": "broken",\n  "provider" "x"\n}');
      await write(
        "wrong.json",
        `{
  "name": "wrong",
  "provider": "wrong",
  "language": "en",
  "schedule": "never",
  "source": {
    "id": "wrong",
    "name": "Wrong",
    "tier": 9,
    "homepage": "https://wrong.test/"
  },
  "feeds": [
    { "url": "https://wrong.test/1" },
    { "url": "wrong.test/2" }
  ],
  "colour": "red"
}`,
      );
      const { profiles, problems } = await loadProfiles(dir, taxonomy);
      expect([...profiles.keys()]).toEqual(["alpha"]);
      expect(problems.map(({ file, line, field }) => `${file}:${line} ${field}`)).toEqual([
        "broken.json:3 ",
        "wrong.json:5 schedule",
        "wrong.json:9 source.tier",
        "wrong.json:14 feeds.1.url",
        "wrong.json:16 colour",
      ]);
      expect(problems[0]?.reason).toBe("a colon is expected");
    });

    test("a field that is missing is named on the line of what it is missing in", async () => {
      await write(
        "alpha.json",
        '{\n "name": "alpha",\n "provider": "a",\n "language": "ar",\n "schedule": "* * * * *",\n "source": {}, "feeds": []\n}',
      );
      const { problems } = await loadProfiles(dir, taxonomy);
      expect(problems.map(({ line, field }) => `${line} ${field}`)).toEqual([
        "6 source.id",
        "6 source.name",
        "6 source.tier",
        "6 source.homepage",
      ]);
    });

    test("the name must be the file's", async () => {
      await write("alpha.json", profileFile({ name: "beta" }));
      const { profiles, problems } = await loadProfiles(dir, taxonomy);
      expect(profiles.size).toBe(0);
      expect(problems).toEqual([
        { file: "alpha.json", line: 2, field: "name", reason: 'must be "alpha", as the file is called' },
      ]);
    });

    test("a source belongs to one profile, the first by file name", async () => {
      const source = { id: "same", name: "Same", tier: 1, homepage: "https://same.test/" };
      await write("alpha.json", profileFile({ name: "alpha", source }));
      await write("beta.json", profileFile({ name: "beta", source }));
      const { profiles, problems } = await loadProfiles(dir, taxonomy);
      expect([...profiles.keys()]).toEqual(["alpha"]);
      expect(problems).toEqual([
        {
          file: "beta.json",
          line: 7,
          field: "source.id",
          reason: '"same" is the source of alpha.json already',
          sourceOf: "alpha",
        },
      ]);
    });

    test("a source stays with the profile in force that has it, whatever a file that comes later is called", async () => {
      const source = { id: "same", name: "Same", tier: 1, homepage: "https://same.test/" };
      await write("beta.json", profileFile({ name: "beta", source }));
      const { profiles: inForce } = await loadProfiles(dir, taxonomy);
      await write("alpha.json", profileFile({ name: "alpha", source }));
      const { profiles, problems } = await loadProfiles(dir, taxonomy, { inForce });
      expect([...profiles.keys()]).toEqual(["beta"]);
      expect(problems).toMatchObject([{ file: "alpha.json", sourceOf: "beta" }]);
      // Once it is given up, the other has it.
      await write("beta.json", profileFile({ name: "beta" }));
      expect([...(await loadProfiles(dir, taxonomy, { inForce })).profiles.keys()]).toEqual(["alpha", "beta"]);
    });

    test("what is no JSON object, no UTF-8, no file or far too large is refused", async () => {
      await write("array.json", "[1]");
      await write("latin.json", new Uint8Array([0x7b, 0xe9, 0x7d]));
      await write("large.json", " ".repeat(1_000_001));
      await Bun.write(join(dir, "folder.json", "x"), "");
      const { problems } = await loadProfiles(dir, taxonomy);
      expect(problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
        "array.json:1 must be an object",
        "folder.json:1 is no file",
        "large.json:1 is larger than 1000000 bytes",
        "latin.json:1 is not UTF-8",
      ]);
    });

    test("a file that no parser gets through is passed over like any other", async () => {
      await write("alpha.json", profileFile());
      await write("deep.json", "[".repeat(100_000));
      const { profiles, problems } = await loadProfiles(dir, taxonomy);
      expect([...profiles.keys()]).toEqual(["alpha"]);
      expect(problems).toEqual([{ file: "deep.json", line: 1, field: "", reason: "nested too deep" }]);
    });

    test.skipIf(Bun.which("mkfifo") === null)("a pipe among the files is not waited for (needs mkfifo)", async () => {
      await write("alpha.json", profileFile());
      spawnSync("mkfifo", [join(dir, "pipe.json")]);
      const { profiles, problems } = await loadProfiles(dir, taxonomy);
      expect([...profiles.keys()]).toEqual(["alpha"]);
      expect(problems).toEqual([{ file: "pipe.json", line: 1, field: "", reason: "is no file" }]);
    });

    test("a folder that is not there is an error", async () => {
      await rm(dir, { recursive: true });
      await expect(loadProfiles(dir, taxonomy)).rejects.toThrow("ENOENT");
    });
  });

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
});

describe("json text", () => {
  const failureOf = (text: string): JsonSyntaxError => {
    try {
      readJsonText(text);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return error;
      throw error;
    }
    throw new Error("it was read");
  };

  describe("readJsonText()", () => {
    test.each([
      ['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"],"b":{}}'],
      ["[]"],
      [' \n{ "a" : [ ] , "b" : [ [ ] , { } ] }\r\n'],
      ['"text"'],
      ["0"],
      ['{"__proto__":{"a":1}}'],
    ])("reads %s as JSON.parse does", (text) => {
      expect(readJsonText(text).value).toEqual(JSON.parse(text));
      expect(JSON.stringify(readJsonText(text).value)).toBe(JSON.stringify(JSON.parse(text)));
    });

    test("knows the line of every key and entry", () => {
      const { lineOf } = readJsonText(
        '{\n  "a": 1,\n  "list": [\n    { "url": "x" },\n    {\n      "url": "y" }\n  ]\n}',
      );
      expect(lineOf(["a"])).toBe(2);
      expect(lineOf(["list"])).toBe(3);
      expect(lineOf(["list", 0, "url"])).toBe(4);
      expect(lineOf(["list", 1])).toBe(5);
      expect(lineOf(["list", 1, "url"])).toBe(6);
    });

    test("a path that is not there has the line of what encloses it", () => {
      const { lineOf } = readJsonText('{\n  "source": {\n    "id": "x" } }');
      expect(lineOf(["source", "tier"])).toBe(2);
      expect(lineOf(["missing"])).toBe(1);
      expect(lineOf([])).toBe(1);
    });

    test.each([
      ['{\n  "a": 1\n  "b": 2\n}', 3, "a comma is expected"],
      ['{\n  "a": 1,\n}', 3, "a key in double quotes is expected"],
      ["[1,\n2,,3]", 2, "a value is expected"],
      ["{\n'a': 1}", 2, "a word or sign that JSON does not have"],
      ['{\n"a": tru }', 2, "a word or sign that JSON does not have"],
      ['{"a" 1}', 1, "a colon is expected"],
      ['{"a":\n"never ends\n}', 2, "a string that does not end"],
      ['{"a": "tab\tinside"}', 1, "a character that JSON does not allow there"],
      ['{"a": "\\x"}', 1, "a string with a wrong escape"],
      ['{"a": 1}\n\n]', 3, "nothing more is expected"],
      ['{\n"a": 1,\n"a": 2}', 3, 'the key "a" comes twice'],
      ['{"a": 01}', 1, "a comma is expected"],
      ["", 1, "a value is expected"],
      ['{"a":\n[', 2, "] is expected"],
      ["[".repeat(1000) + "]".repeat(1000), 1, "nested too deep"],
      ["// comment\n{}", 1, "a comment, which JSON does not have"],
      ['{"a": 😀}', 1, "a word or sign that JSON does not have"],
    ])("%j is refused on line %i: %s", (text, line, message) => {
      const failure = failureOf(text);
      expect(failure.line).toBe(line);
      expect(failure.message).toBe(message);
    });

    test("a mark of byte order is passed over", () => {
      expect(readJsonText('\ufeff{"a":1}').value).toEqual({ a: 1 });
    });
  });
});
