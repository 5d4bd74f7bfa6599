import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { measureFeeds } from "../tasks/feeds.ts";

const folder = join(process.env.ISNAD_SHARED ?? join(import.meta.dir, "../../../shared"), "data/feeds");
const present = existsSync(folder);
if (!present) process.stderr.write(`feed collections: skipped, there is no ${folder} (set ISNAD_SHARED)\n`);
const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dir, name), "utf8"));

describe.skipIf(!present)("the feed collections", () => {
  test("are read as their authors expect, up to the cases that are waived with a reason", () => {
    const waived: Record<string, string> = read("waived.json");
    const results = measureFeeds(folder, read("charset-cases.json"), waived);
    for (const { collection, right, total } of results) {
      expect(right / total, collection).toBe(1);
    }
    expect(results.flatMap((result) => result.waived).sort()).toEqual(Object.keys(waived).sort());
  });
});
