import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ensureTokens, tokensFile } from "../lib/config/index.ts";
import { aborted } from "../lib/process/run-main.ts";
import { tryExclusive } from "../lib/process/file-lock.ts";
import { ensurePostgres } from "../lib/store/embedded/ensure.ts";
import { migrate } from "../lib/store/migrate.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { prefixed } from "./lines.ts";
import { freePort } from "./ports.ts";
import { removeRunFile, runningUrls, writeRunFile } from "../lib/process/run-file.ts";
import type { ServiceEntry } from "./services.ts";
import { baseUrl, refusePortsInUse, type StackService, StartError, startStack } from "./stack.ts";

/** What `up` is given. */
export type UpOptions = {
  config: Config;
  services: readonly ServiceEntry[];
  env: Record<string, string | undefined>;
  /** The root of the repository: entries of services are relative to it. */
  root: string;
  /** Takes the log: lines that end in a newline. */
  write(text: string): void;
};

/** Time that services have to end after SIGTERM, in milliseconds; they take 10 s at most themselves. */
const GRACE_MS = 12_000;

/**
 * Runs the whole stack until the signal aborts: database, migrations, then every service as a process of its own;
 * writes `ready` with the URLs, and `stopped` at a clean end. Rejects with a message made for the operator when another
 * `up` uses the data folder, a port is taken, or something cannot be started.
 */
export async function runUp(options: UpOptions, signal: AbortSignal): Promise<void> {
  const { dataDir } = options.config;
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
async function runLocked({ services, env, root, write, ...given }: UpOptions, signal: AbortSignal): Promise<string[]> {
  const say = (line: string) => write(prefixed("up", line));
  const config = await tokensFor(given.config, say);
  const { dataDir, host } = config;
  const stackServices = await Promise.all(services.map((service) => place(service, config, root)));
  await refusePortsInUse(host, stackServices);

  const logger = { info: () => {}, warn: logged, error: logged };
  function logged(fields: object, message: string): void {
    say(`${message} ${JSON.stringify(fields)}`);
  }
  const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await migrate(postgres.url);
    if (signal.aborted) return [];
    const running = new Set<string>();
    const record = () => {
      if (running.size < stackServices.length) return;
      writeRunFile(dataDir, { urls, tokens: credentials(config), pids: { up: process.pid, ...stack.pids() } });
    };
    const urls = Object.fromEntries(
      services.flatMap(({ name, shown }) => {
        const port = stackServices.find((service) => service.name === name)?.port ?? 0;
        return shown ? [[name, baseUrl(host, port)]] : [];
      }),
    );
    const stack = startStack({
      services: stackServices,
      host,
      cwd: process.cwd(),
      env: childEnv(env, stackServices, urls),
      write,
      onPid: () => queueMicrotask(record),
    });
    let ending: Promise<string[]> | undefined;
    const end = (): Promise<string[]> => {
      removeRunFile(dataDir);
      ending ??= stack.stop(GRACE_MS);
      return ending;
    };
    try {
      await Promise.race([stack.ready, aborted(signal)]);
      if (signal.aborted) return await end();
      for (const { name } of stackServices) running.add(name);
      record();
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

/** The configuration with every token; those made just now are shown, this once. */
async function tokensFor(given: Config, say: (line: string) => void): Promise<Config> {
  const old = existsSync(tokensFile(given));
  const config = await ensureTokens(given);
  if (old || !existsSync(tokensFile(given))) return config;
  const made = [
    ["INGEST_TOKEN", given.tokens.ingest, config.tokens.ingest],
    ["METRICS_TOKEN", given.tokens.metrics, config.tokens.metrics],
    ["SCRAPER_TOKEN", given.tokens.scraper, config.tokens.scraper],
    ["EDGE_API_KEY", given.tokens.edge, config.tokens.edge],
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
  };
}

/** Gives a service its port: the configured one, or a free one where that is 0 or none. */
async function place(service: ServiceEntry, { host, ports, workers }: Config, root: string): Promise<StackService> {
  const all = new Map<string, number | undefined>(Object.entries({ ...ports, workers: workers.port }));
  const configured = all.get(service.name) ?? 0;
  const { name, portOption, healthPath } = service;
  const port = configured === 0 ? await freePort(host) : configured;
  return { name, portOption, healthPath, port, command: [process.execPath, join(root, service.entry)] };
}

function childEnv(
  { PORT: _, ...env }: Record<string, string | undefined>,
  services: readonly StackService[],
  urls: Record<string, string>,
): Record<string, string | undefined> {
  const ports = Object.fromEntries(services.map(({ portOption, port }) => [portOption, String(port)]));
  const retrieval = urls.retrieval === undefined ? {} : { RETRIEVAL_URL: env.RETRIEVAL_URL ?? urls.retrieval };
  const edge = urls.edge === undefined ? {} : { EDGE_URL: env.EDGE_URL ?? urls.edge };
  return { ...env, ...ports, ...retrieval, ...edge, ISNAD_SUPERVISED: "1" };
}
