import { existsSync } from "node:fs";
import {
  type Config,
  ConfigError,
  type Env,
  loadConfig,
  missingTokens,
  options,
  tokensFile,
} from "@isnad/lib/service/config";
import { nearestName } from "@isnad/lib/std";
import { type Finding, findings } from "./finding.ts";

/**
 * What is set, without the values of secrets, and what is wrong with it. Without a config nothing else can be asked.
 */
export async function settingFindings(env: Env): Promise<{ config?: Config; list: Finding[] }> {
  const { list, ok, warn, fail } = findings("setting");
  let config: Config | undefined;
  const wrong = new Map<string, string>();
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { name, rule } of error.problems) wrong.set(name, rule);
  }
  for (const { name, rule } of config === undefined ? [] : missingTokens(config)) wrong.set(name, rule);
  for (const { name, secret } of options) {
    for (const variable of secret ? [name, `${name}_FILE`] : [name]) {
      const value = env[variable]?.trim() ?? "";
      const rule = wrong.get(variable);
      wrong.delete(variable);
      if (rule !== undefined) fail(variable, rule);
      else if (value !== "") ok(variable, secret && variable === name ? "set, not shown" : value);
    }
  }
  for (const [name, rule] of wrong) fail(name, rule);
  for (const [name, hint] of misnamed(env)) warn(name, hint);
  if (config !== undefined) {
    const missing = Object.entries(config.tokens).filter(([, tokens]) => tokens.length === 0);
    if (missing.length > 0 && existsSync(tokensFile(config)))
      ok("tokens", `those unset are kept in ${tokensFile(config)}`);
  }
  return { ...(config !== undefined && { config }), list };
}

/** Variables that are no settings though they look like some, with what may have been meant. */
function misnamed(env: Env): [name: string, hint: string][] {
  const names = options.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  const optionNames = new Set(names);
  // A short name has too many neighbours.
  const others = Object.keys(env).filter((name) => name.length >= 6 && env[name] !== "" && !optionNames.has(name));
  return others.flatMap((name): [string, string][] => {
    if (name.endsWith("_FILE") && optionNames.has(name.slice(0, -"_FILE".length))) {
      return [[name, "is not read: only a secret can be given as a file"]];
    }
    const nearest = nearestName(name, names);
    return nearest === undefined ? [] : [[name, `is no setting: did you mean ${nearest}?`]];
  });
}
