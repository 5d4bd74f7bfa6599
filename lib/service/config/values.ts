import { readFileSync } from "node:fs";
import { type Option, RuleError } from "./option.ts";

/** One wrong variable: its name, and the rule it breaks. The value is left out: it may be a secret. */
export type Problem = { name: string; rule: string };

/** The environment breaks one or more rules; `problems` names all of them. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`configuration: ${problems.map(({ name, rule }) => `${name} ${rule}`).join("; ")}`);
    this.problems = problems;
  }
}

/** The environment as a process sees it. */
export type Env = Record<string, string | undefined>;

/**
 * Reads one option out of `env`. An empty variable counts as unset; a secret may be given as `<NAME>_FILE`, whose
 * content is used without surrounding white space. Adds to `problems` and returns undefined when a rule is broken.
 */
export function readOption<T>(name: string, option: Option<T>, env: Env, problems: Problem[]): T | undefined {
  const raw = rawValue(name, option, env, problems);
  if (raw === undefined) return undefined;
  if (raw === "" && !option.required) return undefined;
  try {
    return option.parse(raw);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    problems.push({ name, rule: error.message });
    return undefined;
  }
}

function rawValue(name: string, option: Option<unknown>, env: Env, problems: Problem[]): string | undefined {
  const direct = env[name]?.trim() ?? "";
  const file = option.secret ? (env[`${name}_FILE`]?.trim() ?? "") : "";
  if (file === "") return direct === "" ? option.default : direct;
  if (direct !== "") {
    problems.push({ name, rule: `and ${name}_FILE must not both be set` });
    return undefined;
  }
  let content: string;
  try {
    content = readFileSync(file, "utf8").trim();
  } catch {
    problems.push({ name: `${name}_FILE`, rule: "must name a readable file" });
    return undefined;
  }
  // A secret that was not written yet is not one that is not wanted: routes would be open, and a database another.
  if (content === "") {
    problems.push({ name: `${name}_FILE`, rule: "must name a file that is not empty" });
    return undefined;
  }
  return content;
}
