import { type CommandContext, defineCommand, explain, UsageError, writeJson } from "../cli/index.ts";
import { openRegistry, type Registry, type RegistryEntry } from "./registry.ts";

type Row = {
  name: string;
  task: string;
  revision: string;
  languages: string;
  dims: string;
  megabytes: string;
  licence: string;
};

/** `models list` and `models verify [NAME…]`. */
export const models = defineCommand({
  name: "models",
  summary: "List the models at hand, or compare their files with the checksums of their cards.",
  positionals: { usage: "list|verify [NAME…]", min: 1, max: 100 },
  options: {},
  details: "Models are looked for in nlp/models and in DATA_DIR/models. verify checks every model when none is named.",
  run({ positionals: [action = "", ...names] }, context) {
    const registry = openRegistry({ dataDir: context.env.DATA_DIR ?? ".data" });
    if (action === "list" && names.length === 0) return list(registry, context);
    if (action === "verify") return verify(registry, names, context);
    throw new UsageError(action === "list" ? "list takes no names" : `${action}: neither list nor verify`);
  },
});

function rowOf({ name, card }: RegistryEntry): Row {
  const bytes = Object.values(card?.files ?? {}).reduce((sum, file) => sum + file.bytes, 0);
  return {
    name,
    task: card?.task ?? "?",
    revision: card?.revision ?? "?",
    languages: card?.languages.join(",") ?? "?",
    dims: String(card?.dims ?? ""),
    megabytes: (bytes / 1e6).toFixed(1),
    licence: card?.licence ?? "?",
  };
}

function list(registry: Registry, { stdout, json }: CommandContext): Promise<number> {
  const entries = registry.list();
  if (json) {
    writeJson(stdout, {
      models: entries.map(({ name, dir, card, problem }) => ({ name, dir, ...(card ?? { problem }) })),
    });
  } else {
    const header: Row = {
      name: "name",
      task: "task",
      revision: "revision",
      languages: "languages",
      dims: "dims",
      megabytes: "MB",
      licence: "licence",
    };
    const rows = [header, ...entries.map(rowOf)].map((row) => Object.values(row));
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
    for (const row of rows) {
      stdout.write(
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
      );
    }
    for (const { name, problem } of entries) if (problem !== undefined) stdout.write(`${name}: ${problem}\n`);
  }
  return Promise.resolve(entries.some((entry) => entry.problem !== undefined) ? 1 : 0);
}

async function verify(
  registry: Registry,
  names: readonly string[],
  { stdout, stderr, json }: CommandContext,
): Promise<number> {
  const asked = names.length > 0 ? names : registry.list().map((entry) => entry.name);
  const results: { name: string; ok: boolean; problem?: string }[] = [];
  for (const name of asked) {
    const problem = await registry.verify(name).then(
      () => undefined,
      (error: unknown) => explain(error),
    );
    results.push(problem === undefined ? { name, ok: true } : { name, ok: false, problem });
    if (!json && problem === undefined) stdout.write(`${name}: every file is as its card says\n`);
    if (!json && problem !== undefined) stderr.write(`${problem}\n`);
  }
  if (json) writeJson(stdout, { results });
  return results.every((result) => result.ok) ? 0 : 1;
}
