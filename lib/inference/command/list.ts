import { type CommandContext, writeJson } from "../../cli/index.ts";
import { CATALOGUE } from "../hub/catalogue.ts";
import type { Registry, RegistryEntry } from "../registry.ts";

type Row = {
  name: string;
  task: string;
  revision: string;
  languages: string;
  dims: string;
  megabytes: string;
  licence: string;
};

/** `models list`: the models at hand and, with `available`, those that can be pulled. Exit code 1 when a card cannot be used. */
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

export async function list(registry: Registry, available: boolean, { stdout, json }: CommandContext): Promise<number> {
  const entries = registry.list();
  const here = new Set(entries.map(({ name }) => name));
  const more = available ? CATALOGUE.filter(({ name }) => !here.has(name)) : [];
  if (json) {
    writeJson(stdout, {
      models: entries.map(({ name, dir, card, problem }) => ({ name, dir, ...(card ?? { problem }) })),
      ...(available && { available: more }),
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
    const rows = [header, ...entries.map(rowOf), ...more.map(pullableRow)].map((row) => Object.values(row));
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
  return entries.some((entry) => entry.problem !== undefined) ? 1 : 0;
}

/** The row of a model that is not at hand. */
function pullableRow({ name, task, languages, dims, licence }: (typeof CATALOGUE)[number]): Row {
  const facts = { revision: "to pull", languages: languages.join(","), dims: String(dims ?? ""), megabytes: "" };
  return { name, task, ...facts, licence };
}
