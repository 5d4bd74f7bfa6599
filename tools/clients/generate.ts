import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { mergedDocument } from "./merge.ts";
import { clientOperations } from "./operations.ts";
import { pythonClient } from "./python.ts";
import { syncClient } from "./python-sync.ts";
import { keysPage } from "./rights.ts";
import { typescriptOperations } from "./typescript.ts";

const tools = fileURLToPath(new URL(".", import.meta.url));

/**
 * Returns the files that are made from the documents, by their paths: the documents themselves, the types and
 * operations of the TypeScript client, those of the Python client, and the page on keys with its table. Without the
 * generator of types, all but them.
 */
export async function generatedFiles(documents: ReadonlyMap<string, unknown>): Promise<Map<string, string>> {
  const merged = mergedDocument(documents);
  const operations = clientOperations(merged);
  const files = new Map<string, string>();
  for (const [service, document] of documents) {
    files.set(`clients/openapi/${service}.json`, `${JSON.stringify(document, null, 1)}\n`);
  }
  const operationsPath = "clients/typescript/src/generated/operations.ts";
  files.set(operationsPath, typescriptOperations(operations));
  const types = typesOf(merged);
  const typesPath = "clients/typescript/src/generated/schema.ts";
  if (types !== undefined) files.set(typesPath, types);
  files.set("docs/keys.md", keysPage(readFileSync(join(tools, "../../docs/keys.md"), "utf8"), documents));
  const python = "clients/python/src/isnad";
  files.set(`${python}/_generated.py`, pythonClient(merged, operations));
  files.set(`${python}/_sync.py`, syncClient(readFileSync(join(tools, "../..", python, "_async.py"), "utf8")));
  return files;
}

/** Returns the types that openapi-typescript makes, which needs a TypeScript of its own. */
function typesOf(document: Record<string, unknown>): string | undefined {
  const generator = join(tools, "node_modules/.bin/openapi-typescript");
  if (!existsSync(generator)) spawnSync(process.execPath, ["install", "--frozen-lockfile"], { cwd: tools });
  if (!existsSync(generator)) return undefined;
  const input = JSON.stringify(document);
  const { status, stdout, stderr } = spawnSync(generator, ["--default-non-nullable=false"], {
    input,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error(`openapi-typescript fails: ${stderr}`);
  return stdout;
}
