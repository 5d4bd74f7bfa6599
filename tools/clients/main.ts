/**
 * `bun run clients`: writes the OpenAPI documents of all services, and what of the clients is made from them.
 * `bun run check clients`: whether those are what the services serve, and whether generators of clients make every
 * operation: openapi-typescript, and openapi-python-client where Python has it. What cannot be installed is skipped
 * with a line that says so.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { documentProblems, generatedFiles, type Operation, operationsOf } from "./generate.ts";
import { serviceDocuments } from "../../e2e/services.ts";
import { PYTHON } from "../python.ts";

const PYTHON_CLIENT = "0.29.1";

const tools = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const typescriptClient = join(tools, "node_modules/.bin/openapi-typescript");

const folder = mkdtempSync(join(tmpdir(), "isnad-clients-"));
try {
  process.exitCode = (await check()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function check(): Promise<boolean> {
  const documents = await serviceDocuments();
  const problems = documentProblems(documents);
  const files = await generatedFiles(documents);
  if (process.argv.includes("--write")) {
    for (const [path, text] of files) writeFileSync(join(root, path), text);
    process.stdout.write(`${files.size} files written\n`);
    return problems.length === 0;
  }
  for (const [path, text] of files) {
    const isCurrent = existsSync(join(root, path)) && readFileSync(join(root, path), "utf8") === text;
    if (!isCurrent) problems.push(`${path} is not what the services serve: bun run clients`);
  }
  const generators = [typescriptGenerator(), pythonGenerator()].filter((generator) => generator !== undefined);
  let count = 0;
  for (const [service, document] of documents) {
    const file = join(folder, `${service}.json`);
    writeFileSync(file, JSON.stringify(document));
    const operations = operationsOf(service, document);
    count += operations.length;
    for (const generate of generators) problems.push(...generate(service, file, operations));
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${documents.size} documents, ${count} operations, ${generators.length} generators\n`);
  return problems.length === 0;
}

/** Makes the client of a document. Returns what went wrong, one line each. */
type Generator = (service: string, file: string, operations: readonly Operation[]) => string[];

function typescriptGenerator(): Generator | undefined {
  if (!existsSync(typescriptClient)) return skipped("openapi-typescript could not be installed in tools/clients");
  return (service, file, operations) => {
    const output = join(folder, `${service}.ts`);
    const { status, stderr } = spawnSync(typescriptClient, [file, "-o", output], { encoding: "utf8" });
    if (status !== 0) return [`${service}: openapi-typescript fails: ${stderr}`];
    const client = readFileSync(output, "utf8");
    return operations
      .filter(({ id }) => !client.includes(`    ${String(id)}: {`))
      .map(({ id }) => `${service}: openapi-typescript leaves out ${String(id)}`);
  };
}

function pythonGenerator(): Generator | undefined {
  const version = spawnSync(PYTHON, ["-m", "openapi_python_client", "--version"], { encoding: "utf8" });
  if (version.status !== 0) return skipped(`openapi-python-client ${PYTHON_CLIENT} is not installed for ${PYTHON}`);
  const config = join(folder, "python.json");
  writeFileSync(config, JSON.stringify({ post_hooks: [] }));
  return (service, file, operations) => {
    const output = join(folder, service);
    const args = ["-m", "openapi_python_client", "generate", "--meta", "none", "--config", config];
    // It reads no feeds, and says so: to it they are text.
    const readable = file.replace(/\.json$/, ".python.json");
    writeFileSync(readable, readFileSync(file, "utf8").replaceAll("application/atom+xml", "text/plain"));
    const run = spawnSync(PYTHON, [...args, "--path", readable, "--output-path", output], { encoding: "utf8" });
    const log = run.stdout + run.stderr;
    const warnings = log.split("\n").filter((line) => /^(?:WARNING|ERROR|Unable|Cannot)/.test(line));
    const modules = existsSync(join(output, "api")) ? readdirSync(join(output, "api"), { recursive: true }) : [];
    const names = new Set(modules.map((name) => /([^/]+)\.py$/.exec(String(name))?.[1]));
    const missing = operations.filter(({ id }) => !names.has(snakeCase(String(id))));
    return [
      ...(run.status === 0 ? [] : [`${service}: openapi-python-client fails: ${log}`]),
      ...warnings.map((line) => `${service}: openapi-python-client: ${line}`),
      ...missing.map(({ id }) => `${service}: openapi-python-client leaves out ${String(id)}`),
    ];
  };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function skipped(reason: string): undefined {
  process.stdout.write(`skipped: ${reason}\n`);
}
