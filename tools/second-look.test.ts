import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@isnad/lib/std/testing-until";
import { runTests } from "./second-look.ts";

setDefaultTimeout(300_000);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const FINE = `import { test } from "bun:test"; test("fine", () => {}); test.skip("left out", () => {});`;
const ALWAYS = `import { expect, test } from "bun:test"; test("fine", () => {}); test("<wrong>", () => expect(1).toBe(2));`;
/** Fails the first time that it is run. */
const ONCE = `import { existsSync, writeFileSync } from "node:fs"; import { expect, test } from "bun:test";
  test("fine", () => {});
  test("once", () => {
    const isSecond = existsSync("once");
    writeFileSync("once", "");
    expect(isSecond).toBe(true);
  });`;
const ENDS = `import { test } from "bun:test"; test("fine", () => {}); test("ends", () => process.exit(3));`;

/** Runs the tests of a folder that has these files; returns the exit code, all that is said, and the counts at last. */
async function run(files: Record<string, string>, ...args: string[]) {
  const root = mkdtempSync(join(tmpdir(), "isnad-second-look-"));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  let said = "";
  const code = await runTests(args, { root, write: (text) => (said += text) });
  // As `.ci/run` counts.
  const count = (what: string) => [...said.matchAll(new RegExp(`^ *(\\d+) ${what}$`, "gm"))].at(-1)?.[1];
  return { code, said, passed: count("pass"), failed: count("fail") };
}

test("where nothing fails nothing is run again", async () => {
  const { code, said, passed, failed } = await run({ "a.test.ts": FINE, "b.test.ts": FINE });
  expect([code, passed, failed]).toEqual([0, "2", "0"]);
  expect(said).not.toContain("alone");
});

test("a file that fails beside others and passes alone is named with its first error, and does not fail the run", async () => {
  const { code, said, passed, failed } = await run({ "a.test.ts": FINE, "b.test.ts": ONCE, "c.test.ts": FINE });
  expect([code, passed, failed]).toEqual([0, "4", "0"]);
  expect(said).toContain("== b.test.ts failed beside others, and is run alone: once\n");
  expect(said).toContain("1 file failed beside others and passed alone: b.test.ts\n");
  expect(said).toContain("(fail) once");
});

test("a file that fails alone as well fails the run, whatever passes beside it", async () => {
  const { code, said, passed, failed } = await run({ "a.test.ts": FINE, "b.test.ts": ONCE, "c.test.ts": ALWAYS });
  expect([code, passed, failed]).toEqual([1, "4", "1"]);
  expect(said).toContain("== c.test.ts failed beside others, and is run alone: <wrong>\n");
  expect(said).toContain("1 file failed beside others and passed alone: b.test.ts\n");
});

test("a file that ends its process twice fails the run; where one cannot be loaded none is run again", async () => {
  const ends = await run({ "a.test.ts": FINE, "b.test.ts": ENDS, "c.test.ts": FINE });
  expect([ends.code, ends.passed, ends.failed]).toEqual([1, "2", "1"]);
  expect(ends.said).toContain("== b.test.ts failed beside others, and is run alone: (worker crashed)\n");
  const unknown = `import "./nowhere.ts";`;
  const { code, said, failed } = await run({ "a.test.ts": FINE, "b.test.ts": ONCE, "c.test.ts": unknown });
  expect([code, failed]).toEqual([1, "2"]);
  expect(said).not.toContain("alone");
});

test("a run that is interrupted is not looked at again, and fails", async () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-second-look-"));
  folders.push(root);
  const slow = `import { writeFileSync } from "node:fs"; import { test } from "bun:test";
    test("slow", async () => { writeFileSync("begun", ""); await Bun.sleep(600_000); });`;
  for (const [name, text] of Object.entries({ "a.test.ts": ALWAYS, "b.test.ts": FINE, "c.test.ts": slow }))
    writeFileSync(join(root, name), text);
  const script = `import { runTests } from ${JSON.stringify(join(import.meta.dirname, "second-look.ts"))};
    process.exit(await runTests([], { processes: 1, root: ${JSON.stringify(root)}, write: (text) => process.stdout.write(text) }));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  await until(() => existsSync(join(root, "begun")));
  child.kill("SIGTERM");
  expect(await child.exited).not.toBe(0);
  expect(await new Response(child.stdout).text()).not.toContain("is run alone");
});

test("a file that was alone, many files at once, and a run that is to end at its first failure are not run again", async () => {
  expect(await run({ "a.test.ts": ONCE })).toMatchObject({ code: 1, passed: "1", failed: "1" });
  expect(await run({ "a.test.ts": FINE, "b.test.ts": ONCE }, "--bail=1")).toMatchObject({ code: 1, failed: "1" });
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.test.ts`, ALWAYS]));
  expect(await run({ ...many, "a.test.ts": FINE })).toMatchObject({ code: 1, passed: "10", failed: "9" });
});
