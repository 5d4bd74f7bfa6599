import { expect, test } from "bun:test";
import { join } from "node:path";
import { readServiceArguments } from "./service-arguments.ts";

const usage = { name: "api", summary: "The central API.", portOption: "API_PORT" };
const ROOT = join(import.meta.dirname, "../../..");

test("a service without arguments runs", () => {
  expect(readServiceArguments([], usage)).toBeUndefined();
});

test("--help wins over whatever else is there", () => {
  for (const argv of [["--help"], ["-h"], ["--port", "1", "--help"]]) {
    expect(readServiceArguments(argv, usage)).toMatchObject({ to: "stdout", code: 0 });
  }
});

test("anything else is wrong usage, and named", () => {
  for (const argument of ["--port=1", "serve", "-x", ""]) {
    const printed = readServiceArguments([argument], usage);
    expect(printed).toMatchObject({ to: "stderr", code: 2 });
    expect(printed?.text).toStartWith(`api: unexpected argument: ${argument}\nTry: bun run api --help`);
  }
});

const ENTRIES = {
  api: "api/main.ts",
  workers: "workers/main.ts",
  scraper: "scraper/main.ts",
  retrieval: "nlp/retrieval/main.ts",
  nlp: "nlp/linguistic/main.ts",
  edge: "edge/main.ts",
  up: "cli/up/main.ts",
  demo: "cli/demo/main.ts",
};

test.each(Object.entries(ENTRIES))(
  "%s prints its help and starts nothing; what it does not know is exit code 2",
  async (name, entry) => {
    const end = async (argument: string) => {
      // A database that nobody can reach: a process that started would fail.
      const env = { PATH: process.env.PATH, DATABASE_URL: "postgres://127.0.0.1:1/none", DATA_DIR: "/nonexistent" };
      const command = [process.execPath, join(ROOT, entry), argument];
      const child = Bun.spawn(command, { env, stdout: "pipe", stderr: "pipe" });
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      return { code: await child.exited, out, err };
    };
    const [help, wrong] = await Promise.all([end("--help"), end("--unheard-of")]);
    expect([help.code, help.err]).toEqual([0, ""]);
    expect(help.out).toContain(`Usage: bun run ${name}`);
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
    expect(wrong.err).toContain(`--help`);
  },
  30_000,
);
