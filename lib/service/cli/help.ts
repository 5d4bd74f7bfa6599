import type { Command, Option, Options } from "./command.ts";
import { COMMON } from "./parse.ts";

/** The text of `--help`, at most 100 columns wide, ending in a line feed. */
export function help<O extends Options>(command: Command<O>): string {
  const { name, summary, positionals, details } = command;
  const options: Options = { ...command.options, ...COMMON };
  const rows = Object.entries(options).map(
    ([key, option]) => [`--${key}${argument(option)}`, describe(option)] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    summary,
    "",
    `Usage: bun run ${name} [options]${positionals.usage === "" ? "" : ` ${positionals.usage}`}`,
    "",
    "Options:",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(details === undefined ? [] : ["", details.trim()]),
    "",
    "Exit codes: 0 done, 1 not done (or not all of it), 2 wrong usage.",
    "",
  ].join("\n");
}

function argument(option: Option): string {
  return option.kind === "flag" ? "" : `=${option.value}`;
}

function describe(option: Option): string {
  if (option.kind === "list") return `${option.help} (may be repeated)`;
  if (option.kind === "flag" || option.default === undefined) return option.help;
  return `${option.help} (default ${option.default})`;
}
