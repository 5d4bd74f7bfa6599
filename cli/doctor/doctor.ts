import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { openRegistry } from "@isnad/lib/models";
import { defineCommand, explain, writeJson } from "@isnad/lib/service/cli";
import {
  type Config,
  ConfigError,
  type Env,
  loadConfig,
  missingTokens,
  options,
  tokensFile,
  VERSION,
} from "@isnad/lib/service/config";
import { nearestName, sizeText } from "@isnad/lib/std";
import { portFault } from "../../lib/std/ports.ts";
import { services } from "../up/services.ts";
import {
  databaseFindings,
  engineFindings,
  type Finding,
  findings,
  redisFindings,
  serviceFindings,
  upstreamFindings,
} from "./services.ts";

/** `doctor`: looks at everything that the platform stands on. */
export const doctor = defineCommand({
  name: "doctor",
  summary: "Says what is set, what is reachable, which versions there are, and what would fail.",
  positionals: { usage: "", min: 0, max: 0 },
  options: { problems: { kind: "flag", help: "show only what is not as it should be" } },
  details: `Changes nothing and starts nothing. Values of secrets are not shown. Exit code 1 when something fails.`,
  async run({ values }, { env, json, stdout }) {
    const all = await look(env);
    const shown = values.problems ? all.filter(({ state }) => state !== "ok") : all;
    const failed = all.filter(({ state }) => state === "fail").length;
    if (json) writeJson(stdout, { ok: failed === 0, findings: shown });
    else {
      for (const { area, name, state, detail } of shown) {
        stdout.write(`${state.padEnd(5)} ${area.padEnd(11)} ${name.padEnd(14)} ${detail}\n`);
      }
      stdout.write(failed === 0 ? "nothing would fail\n" : `${failed} would fail\n`);
    }
    return failed === 0 ? 0 : 1;
  },
});

async function look(env: Record<string, string | undefined>): Promise<Finding[]> {
  const { config, list } = await settingFindings(env);
  if (config === undefined) return list;
  const stack = await serviceFindings(config);
  const rest = await Promise.all([
    machineFindings(config),
    stack.running ? [] : portFindings(config),
    databaseFindings(config),
    redisFindings(config),
    engineFindings(config),
    stack.list,
    upstreamFindings(config),
    modelFindings(config),
  ]);
  return [...list, ...rest.flat()];
}

/** The version of Bun that the platform is tested with. */
const BUN = "1.4";

/** Less than this is not enough to start and to write an index again. */
const DISK_LEAST = 1e9;
const DISK_LITTLE = 5e9;

const MEMORY_LITTLE = 2e9;

/** Returns the program, the processor and memory, the data folder and the disk below it. */
function machineFindings({ dataDir }: Config): Finding[] {
  const { list, ok, warn, fail } = findings("machine");
  const bun = process.versions.bun ?? "none";
  const runtime = `Isnad ${VERSION}, Bun ${bun}, ${process.platform} ${process.arch}`;
  if (bun.startsWith(`${BUN}.`)) ok("versions", runtime);
  else warn("versions", `${runtime}: tested with Bun ${BUN}`);
  const memory = memoryLimit();
  const size = `${availableParallelism()} processors, ${sizeText(memory)} memory`;
  if (memory < MEMORY_LITTLE) warn("size", `${size}: 2 GB are needed for everything on one machine`);
  else ok("size", size);
  const there = nearest(dataDir);
  try {
    accessSync(there, constants.W_OK);
    ok("DATA_DIR", existsSync(dataDir) ? `${dataDir}, can be written` : `${dataDir}, will be made`);
  } catch {
    fail("DATA_DIR", `${there} cannot be written`);
  }
  const { bavail, bsize, blocks } = statfsSync(there);
  const free = bavail * bsize;
  const disk = `${sizeText(free)} of ${sizeText(blocks * bsize)} free`;
  if (free < DISK_LEAST) fail("disk", `${disk}: less than ${sizeText(DISK_LEAST)}`);
  else if (free < DISK_LITTLE) warn("disk", disk);
  else ok("disk", disk);
  return list;
}

/** Tells whether the ports are free that a start would listen on; only asked while nothing runs. */
async function portFindings({ host, ports, workers }: Config): Promise<Finding[]> {
  const { list, fail } = findings("port");
  const all = new Map<string, number | undefined>(Object.entries({ ...ports, workers: workers.port }));
  for (const { name, portOption } of services) {
    const port = all.get(name) ?? 0;
    const fault = port === 0 ? null : await portFault(host, port);
    if (fault === "EADDRINUSE") fail(portOption, `${port} is in use, and not by ${name}`);
    else if (fault !== null) fail(portOption, `cannot listen on ${host}:${port} (${fault})`);
  }
  return list;
}

function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

/** Returns the memory of the machine, or of the container where that is less. */
function memoryLimit(): number {
  const file = join("/sys/fs/cgroup", "memory.max");
  const limit = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
  return Number.isFinite(limit) ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Returns what is set, without the values of secrets, and what is wrong with it. Without a config nothing else can be
 * asked.
 */
async function settingFindings(env: Env): Promise<{ config?: Config; list: Finding[] }> {
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

/**
 * Returns every model at hand, compared with the checksums of its card; and those that settings name and that are not
 * there.
 */
async function modelFindings({ dataDir, models }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("model");
  const registry = openRegistry({ dataDir });
  for (const { name, card } of registry.list()) {
    const problem = await registry.verify(name).then(
      () => undefined,
      (error: unknown) => explain(error),
    );
    if (problem !== undefined) fail(name, problem);
    else ok(name, `${card?.task ?? "?"}, ${digests(card?.files)}`);
  }
  const there = new Set(registry.list().map(({ name }) => name));
  for (const [task, name] of Object.entries(models)) {
    if (name !== undefined && !there.has(name))
      fail(name, `is set for ${task}, and is not here: bun run models pull ${name}`);
  }
  return list;
}

/** Returns the beginning of each file's SHA-256. */
function digests(files: Readonly<Record<string, { sha256: string }>> | undefined): string {
  return Object.entries(files ?? {})
    .map(([file, { sha256 }]) => `${file} ${sha256.slice(0, 12)}`)
    .join(", ");
}
