import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "@isnad/lib/std";
import { createIsnad, IsnadError } from "../clients/typescript/src/mod.ts";
import { mergedDocument } from "../tools/clients/generate.ts";
import { type ClientOperation, clientOperations } from "../tools/clients/typescript.ts";
import { PYTHON } from "../tools/python.ts";
import { sampleOf } from "./clients/testing-sample.ts";
import { startServices, stopServices } from "./testing-stack.ts";

const ROOT = join(import.meta.dirname, "..");
const SERVICES = ["api", "workers", "scraper", "retrieval", "nlp", "edge"];
const dir = mkdtempSync(join(tmpdir(), "isnad-e2e-clients-"));

let up: ChildProcess | undefined;
let url = "";
let key = "";
let document: Record<string, unknown> = {};
let operations: ClientOperation[] = [];

beforeAll(async () => {
  const env = { ...process.env, DATA_DIR: dir, API_PORT: "0", LOG_LEVEL: "error", DEMO: "false" };
  up = await startServices(SERVICES, env);
  const { urls, tokens } = JSON.parse(readFileSync(join(dir, "run.json"), "utf8"));
  url = urls.api;
  const documents = readdirSync(join(ROOT, "clients/openapi")).map((name) => {
    return [name.replace(".json", ""), JSON.parse(readFileSync(join(ROOT, "clients/openapi", name), "utf8"))] as const;
  });
  document = mergedDocument(new Map(documents));
  operations = clientOperations(document);
  const made = spawnSync(
    process.execPath,
    ["cli/main.ts", "keys", "create", "--name", "clients", "--scope", "read,ingest,desk,admin", "--json"],
    {
      cwd: ROOT,
      env: { ...env, DATABASE_URL: "", ...(tokens.internal && { INTERNAL_TOKEN: tokens.internal }) },
      encoding: "utf8",
    },
  );
  key = JSON.parse(made.stdout).key;
}, 300_000);

afterAll(async () => {
  await stopServices(up);
  rmSync(dir, { recursive: true, force: true });
}, 300_000);

const ARTICLE = {
  source_id: "me",
  external_id: "1",
  url: "https://me.example/1",
  title: "The harbour gets a new pier",
  content: "The harbour council has decided to build a new pier for the ferry. Work begins in March. ".repeat(4),
};

/** Inputs that mean something; of any other operation the smallest that its schema takes. */
const INPUTS: Record<string, Record<string, unknown>> = {
  ingestArticles: { articles: [ARTICLE] },
  getArticle: { article_id: 1 },
  searchArticles: { q: "pier" },
  summarizeText: { text: ARTICLE.content },
  transcribeAudio: {},
};

/** Statuses that an operation documents. */
function documented({ path, method }: ClientOperation): number[] {
  const paths: Record<string, unknown> = Object(document.paths);
  const { responses } = Object(Object(paths[path])[method]);
  return Object.keys(Object(responses)).map(Number);
}

function inputOf({ id, inPath, inQuery, body }: ClientOperation): Record<string, unknown> {
  const given = INPUTS[id];
  if (given !== undefined) return given;
  const schemas: Record<string, unknown> = Object(Object(document.components).schemas);
  const parameters = [...inPath, ...inQuery].filter(({ required }) => required);
  const sample = body?.kind === "json" ? sampleOf(body.schema, schemas) : {};
  const values = parameters.map(({ name, schema }) => [name, sampleOf(schema, schemas)] as const);
  return { ...(isObject(sample) ? sample : {}), ...Object.fromEntries(values) };
}

/** What comes last, because it takes away what others ask for. */
const isDeletion = ({ method }: ClientOperation): boolean => method === "delete";

const hasHttpx = spawnSync(PYTHON, ["-c", "import httpx, typing_extensions"]).status === 0;

describe("over a running stack, through one door", () => {
  test("the TypeScript client calls every operation, and each answers as its document says", async () => {
    const isnad = createIsnad({ baseUrl: url, key, retries: 1 });
    const methods: Record<string, unknown> = { ...isnad };
    const wrong: string[] = [];
    let answered = 0;
    for (const operation of operations.toSorted((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)))) {
      const method = methods[operation.id];
      if (typeof method !== "function") wrong.push(`${operation.id} is no method`);
      else {
        try {
          await method(inputOf(operation));
          answered++;
        } catch (error) {
          const status = error instanceof IsnadError ? error.status : -1;
          if (!documented(operation).includes(status)) wrong.push(`${operation.id}: ${error}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(operations.length / 2);
  }, 300_000);

  test("the Python client does the same", () => {
    if (!hasHttpx) return void process.stdout.write(`skipped: ${PYTHON} has no httpx, which the Python client needs\n`);
    const cases = operations
      .filter((operation) => operation.id !== "transcribeAudio" && !isDeletion(operation))
      .map((operation) => ({ id: operation.id, input: inputOf(operation), statuses: documented(operation) }));
    writeFileSync(join(dir, "cases.json"), JSON.stringify({ url, key, cases }));
    const env = { ...process.env, PYTHONPATH: join(ROOT, "clients/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
    const run = spawnSync(PYTHON, ["e2e/clients/every_operation.py", join(dir, "cases.json")], {
      cwd: ROOT,
      env,
      encoding: "utf8",
    });
    expect(run.stdout + run.stderr).toEndWith(`${cases.length} operations, 0 wrong\n`);
  }, 300_000);

  const newcomer = (program: string, script: string, env: Record<string, string> = {}) => {
    const own = { ...process.env, API_URL: url, ISNAD_KEY: key, PYTHONDONTWRITEBYTECODE: "1", ...env };
    const { stdout, stderr } = spawnSync(program, [join(ROOT, "examples/newcomer", script)], {
      cwd: ROOT,
      env: own,
      encoding: "utf8",
    });
    return stdout + stderr;
  };

  test("a newcomer's script posts, traces, searches and asks, in each language", () => {
    const said = newcomer(process.execPath, "main.ts");
    // Its ten articles are alike: the chain has as many links as were compared by then.
    const opening = /^(?:accepted ){9}accepted\nchain of \d+\n/;
    expect(said).toMatch(opening);
    expect(said).toMatch(/\nwatched: true\nmeta (delta )*done \n$/);
    if (hasHttpx) {
      const python = newcomer(PYTHON, "main.py", { PYTHONPATH: join(ROOT, "clients/python/src") });
      expect(python).toMatch(opening);
      expect(python).toMatch(/\nwatched: True\nmeta (delta )*done\n$/);
    }
  }, 300_000);

  test("the TypeScript client, packed and installed elsewhere, runs what its README says", () => {
    if (spawnSync("npm", ["--version"]).status !== 0) return void process.stdout.write("skipped: there is no npm\n");
    const folder = join(ROOT, "clients/typescript");
    const compiler = join(ROOT, "node_modules/typescript/lib/tsc.js");
    run(process.execPath, [compiler, "-p", folder, "--singleThreaded", "--outDir", join(dir, "dist")], ROOT);
    const packed = run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", dir], packable(folder));
    const elsewhere = join(dir, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "package.json"), JSON.stringify({ name: "elsewhere", type: "module" }));
    run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", join(dir, packed.trim())], elsewhere);
    // Node takes what is left when its types are gone.
    const source = new Bun.Transpiler({ loader: "ts" }).transformSync(linesOf(folder, "ts"));
    writeFileSync(join(elsewhere, "lines.js"), source);
    said(run("node", ["lines.js"], elsewhere, { ISNAD_KEY: key }));
  }, 300_000);

  test("the Python client, packed and installed elsewhere, runs what its README says", () => {
    const has = (modules: string) => spawnSync(PYTHON, ["-c", `import ${modules}`]).status === 0;
    if (!has("build, hatchling, httpx, typing_extensions"))
      return void process.stdout.write(`skipped: ${PYTHON} lacks build, hatchling or httpx\n`);
    const folder = join(ROOT, "clients/python");
    const [source, target] = [join(dir, "python"), join(dir, "site")];
    cpSync(folder, source, { recursive: true });
    run(PYTHON, ["-m", "build", "--no-isolation", "--outdir", join(dir, "wheels"), source], dir);
    const made = readdirSync(join(dir, "wheels"));
    const wheel = made.find((name) => name.endsWith(".whl")) ?? "";
    expect(made.toSorted()).toEqual([wheel, `${wheel.split("-").slice(0, 2).join("-")}.tar.gz`]);
    run(
      PYTHON,
      ["-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", target, join(dir, "wheels", wheel)],
      dir,
    );
    writeFileSync(join(dir, "lines.py"), linesOf(folder, "python"));
    said(run(PYTHON, ["lines.py"], dir, { PYTHONPATH: target }));
  }, 300_000);

  /** Returns the lines of a client's README, with this stack's address and key. */
  function linesOf(folder: string, language: string): string {
    const lines = new RegExp(`\`\`\`${language}\n([^\`]+)\`\`\``).exec(
      readFileSync(join(folder, "README.md"), "utf8"),
    )?.[1];
    if (lines === undefined) throw new RangeError(`the README has no lines of ${language}`);
    return lines.replace("http://127.0.0.1:8080", url).replace('key="…"', `key="${key}"`);
  }

  /** Expects what both print: hits, the events of an answer, and what an article that is not there is. */
  function said(text: string): void {
    expect(text).toMatch(/^meta /m);
    expect(text).toMatch(/^done /m);
    expect(text).toMatch(/^not-found /m);
  }
});

function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr || stdout}`);
  return stdout;
}

/** Copies what the package is made of to where its build lies. */
function packable(folder: string): string {
  for (const name of ["package.json", "README.md"]) cpSync(join(folder, name), join(dir, name));
  return dir;
}
