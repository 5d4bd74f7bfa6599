import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError, ensureTokens, missingTokens, tokensFile } from "@isnad/lib/service/config";
import { errorMessage } from "@isnad/lib/std";
import { checkEngines } from "../../lib/search/engines/open.ts";
import {
  makePrivate,
  removeRunFile,
  runningUrls,
  tryExclusive,
  writeRunFile,
} from "../../lib/service/process/files.ts";
import { aborted } from "../../lib/service/process/run-main.ts";
import { freePort, portFault } from "../../lib/std/ports.ts";
import { ensurePostgres } from "../../lib/store/embedded/ensure.ts";
import { migrate } from "../../lib/store/migrate.ts";
import type { Balancer } from "./balancer.ts";
import { baseUrl, prefixed, refusePortsInUse, type StackService, StartError, startStack } from "./stack.ts";
import type { ServiceEntry } from "./services.ts";

const REASONS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EEXIST: "there is a file of that name",
  ENOTDIR: "a part of the path is a file",
};

/**
 * Makes the data folder, for its owner alone, and sees that files can be made in it. Throws {@link StartError} saying
 * why not.
 */
export function prepareDataFolder(dataDir: string): void {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    makePrivate(dataDir);
    writeFileSync(probe, "probe");
    rmSync(probe);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    throw new StartError(`DATA_DIR ${dataDir} cannot be written: ${REASONS[code] ?? error.message}`);
  }
}

/** Most processes of one service; a cluster is for more. */
const MAX_PROCESSES = 32;

/**
 * Counts how many processes of each service `text` (`workers=2,api=2`) asks for; those not named get one. Throws
 * StartError.
 */
export function readScale(text: string, services: readonly string[]): Map<string, number> {
  const scale = new Map(services.map((name) => [name, 1]));
  if (text.trim() === "") return scale;
  for (const part of text.split(",")) {
    const [name = "", count = "", ...more] = part.trim().split("=");
    if (!scale.has(name))
      throw new StartError(`--scale: there is no service ${name}; there are ${services.join(", ")}`);
    const number = /^[0-9]{1,3}$/.test(count) && more.length === 0 ? Number(count) : 0;
    if (number < 1 || number > MAX_PROCESSES)
      throw new StartError(`--scale: ${name} takes a number from 1 to ${MAX_PROCESSES}`);
    scale.set(name, number);
  }
  return scale;
}

/** Holds what `up` is given. */
type UpOptions = {
  config: Config;
  services: readonly ServiceEntry[];
  env: Record<string, string | undefined>;
  /** The root of the repository: entries of services are relative to it. */
  root: string;
  /** Takes the log: lines that end in a newline. */
  write(text: string): void;
  /** Processes of each service, as `readScale` takes them; one of each when left out. */
  scale?: string | undefined;
  /** Is given what to call when every process is to be started again, one after another. */
  onRestartAsked?(restart: () => void): void;
};

/** Time that services have to end after SIGTERM, in milliseconds; they take 10 s at most themselves. */
const GRACE_MS = 12_000;

/**
 * Runs the whole stack until the signal aborts: database, migrations, then every service as a process of its own;
 * writes `ready` with the URLs, and `stopped` at a clean end. Rejects with a message made for the operator when tokens
 * are missing, another `up` uses the data folder, a port is taken, an engine of the settings cannot be used, or
 * something cannot be started.
 */
export async function runUp(options: UpOptions, signal: AbortSignal): Promise<void> {
  const { dataDir, engines } = options.config;
  const missing = missingTokens(options.config);
  if (missing.length > 0) throw new ConfigError(missing);
  await checkEngines(engines);
  prepareDataFolder(dataDir);
  const lock = tryExclusive(join(dataDir, "up.lock"));
  if (lock === undefined) {
    throw new StartError(["already running on", dataDir, ...runningUrls(dataDir)].join(" "));
  }
  try {
    const killed = await runLocked(options, signal);
    options.write(killed.length === 0 ? "stopped\n" : `stopped, after killing ${killed.join(", ")}\n`);
  } finally {
    removeRunFile(dataDir);
    lock.release();
  }
}

/** Resolves, at the end, to the names of the services that did not end by themselves. */
async function runLocked(options: UpOptions, signal: AbortSignal): Promise<string[]> {
  const { services, env, root, write, onRestartAsked, ...given } = options;
  const say = (line: string) => write(prefixed("up", line));
  const config = await tokensFor(given.config, say);
  const { dataDir, host } = config;
  const fault = await portFault(host, 0);
  if (fault !== null) throw new StartError(`nothing can listen on HOST ${host}: ${fault}`);
  const scale = readScale(
    given.scale ?? config.upScale ?? "",
    services.map(({ name }) => name),
  );
  const groups = await Promise.all(services.map((entry) => place(entry, scale.get(entry.name) ?? 1, config, root)));
  const stackServices = groups.flatMap(({ processes }) => processes);
  await refusePortsInUse(host, [...groups.filter(isBalanced).map(publicPort), ...stackServices]);

  const logger = { info: () => {}, warn: logged, error: logged };
  function logged(fields: object, message: string): void {
    say(`${message} ${JSON.stringify(fields)}`);
  }
  const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await migrate(postgres.url, { logger });
    if (signal.aborted) return [];
    let ready = false;
    const record = () => {
      if (!ready) return;
      writeRunFile(dataDir, { urls, tokens: credentials(config), pids: { up: process.pid, ...stack.pids() } });
    };
    const urls = Object.fromEntries(
      groups.flatMap(({ entry, port }) => (entry.shown ? [[entry.name, baseUrl(host, port)]] : [])),
    );
    const balancers = new Map<string, Balancer>();
    for (const group of groups.filter(isBalanced)) balancers.set(group.entry.name, await balance(config, group));
    const stack = startStack({
      services: stackServices,
      host,
      cwd: process.cwd(),
      env: childEnv(env, groups, urls),
      write,
      onPid: () => queueMicrotask(record),
    });
    let ending: Promise<string[]> | undefined;
    const end = (): Promise<string[]> => {
      removeRunFile(dataDir);
      ending ??= Promise.all([
        stack.stop(GRACE_MS),
        ...Array.from(balancers.values(), (balancer) => balancer.stop(GRACE_MS)),
      ]).then(([killed]) => killed);
      return ending;
    };
    /** Starts every process again, one after another; where a service has several, no request fails. */
    const restartAll = async (): Promise<void> => {
      for (const { entry, processes } of groups) {
        const balancer = balancers.get(entry.name);
        for (const { name } of processes) {
          if (ending !== undefined) return;
          await balancer?.drain(name, GRACE_MS);
          await stack.restart(name, GRACE_MS);
          balancer?.resume(name);
          say(`${name} was started anew`);
        }
      }
      say("every process was started anew");
    };
    let restarting = false;
    try {
      await Promise.race([stack.ready, aborted(signal)]);
      if (signal.aborted) return await end();
      ready = true;
      record();
      onRestartAsked?.(() => {
        if (restarting) return;
        restarting = true;
        restartAll()
          .catch((error) => say(`the restart broke off: ${errorMessage(error)}`))
          .finally(() => {
            restarting = false;
          });
      });
      write(
        `ready ${Object.entries(urls)
          .map(([name, url]) => `${name}=${url}`)
          .join(" ")}\n`,
      );
      await aborted(signal);
      return await end();
    } finally {
      await end();
    }
  } finally {
    await postgres.release();
  }
}

/** Returns the configuration with every token; those made just now are shown, this once. */
async function tokensFor(given: Config, say: (line: string) => void): Promise<Config> {
  const old = existsSync(tokensFile(given));
  const config = await ensureTokens(given);
  if (old || !existsSync(tokensFile(given))) return config;
  const made = [
    ["INGEST_TOKEN", given.tokens.ingest, config.tokens.ingest],
    ["METRICS_TOKEN", given.tokens.metrics, config.tokens.metrics],
    ["SCRAPER_TOKEN", given.tokens.scraper, config.tokens.scraper],
    ["EDGE_API_KEY", given.tokens.edge, config.tokens.edge],
    ["INTERNAL_TOKEN", given.tokens.internal, config.tokens.internal],
  ] as const;
  for (const [name, before, now] of made) {
    if (before.length === 0) say(`generated ${name}=${now[0] ?? ""} (kept in ${tokensFile(config)})`);
  }
  return config;
}

function credentials({ tokens }: Config) {
  return {
    ingest: tokens.ingest[0] ?? "",
    metrics: tokens.metrics[0] ?? "",
    scraper: tokens.scraper[0] ?? "",
    edge: tokens.edge[0] ?? "",
    internal: tokens.internal[0] ?? "",
  };
}

/** A service, the port under which it is reached, and its processes: one that listens there, or several behind it. */
type Group = { entry: ServiceEntry; port: number; processes: StackService[] };

const isBalanced = ({ processes }: Group): boolean => processes.length > 1;

const publicPort = ({ entry, port }: Group) => ({ name: entry.name, port, portOption: entry.portOption });

/** Says where processes behind a balancer listen: for nobody but it. */
const LOOPBACK = "127.0.0.1";

/** Gives a service its port (the configured one, or a free one where that is 0 or none), and its processes theirs. */
async function place(entry: ServiceEntry, count: number, config: Config, root: string): Promise<Group> {
  const { host, ports, workers, trustedProxies } = config;
  const all = new Map<string, number | undefined>(Object.entries({ ...ports, workers: workers.port }));
  const configured = all.get(entry.name) ?? 0;
  const { name, portOption, healthPath, defaults = {} } = entry;
  const port = configured === 0 ? await freePort(host) : configured;
  const common = { portOption, healthPath, defaults, command: [process.execPath, join(root, entry.entry)] };
  if (count === 1) return { entry, port, processes: [{ ...common, name, port }] };
  const own = await Promise.all(Array.from({ length: count }, () => freePort(LOOPBACK)));
  const env = { HOST: LOOPBACK, TRUSTED_PROXIES: [...trustedProxies, LOOPBACK].join(",") };
  const processes = own.map((each, i) => ({
    ...common,
    name: `${name}-${i + 1}`,
    host: LOOPBACK,
    port: each,
    env: { ...env, [portOption]: String(each) },
  }));
  return { entry, port, processes };
}

async function balance({ host, trustedProxies }: Config, { port, processes }: Group): Promise<Balancer> {
  // Only where it is needed: the server takes a quarter of the memory of all else here.
  const { startBalancer } = await import("./balancer.ts");
  const backends = processes.map(({ name, port: own }) => ({ name, url: baseUrl(LOOPBACK, own) }));
  return startBalancer({ host, port, backends, trustedProxies });
}

function childEnv(
  { PORT: _, ...env }: Record<string, string | undefined>,
  groups: readonly Group[],
  urls: Record<string, string>,
): Record<string, string | undefined> {
  const ports = Object.fromEntries(groups.map(({ entry, port }) => [entry.portOption, String(port)]));
  const retrieval = urls.retrieval === undefined ? {} : { RETRIEVAL_URL: env.RETRIEVAL_URL ?? urls.retrieval };
  const edge = urls.edge === undefined ? {} : { EDGE_URL: env.EDGE_URL ?? urls.edge };
  // A process behind a balancer does not know by its own port where the others find its service.
  const balanced = groups.filter(isBalanced).flatMap(({ entry }) => {
    const variable = `${entry.name.toUpperCase()}_URL`;
    const url = env[variable] || urls[entry.name];
    return url === undefined ? [] : [[variable, url] as const];
  });
  return { ...env, ...ports, ...retrieval, ...edge, ...Object.fromEntries(balanced), ISNAD_SUPERVISED: "1" };
}
