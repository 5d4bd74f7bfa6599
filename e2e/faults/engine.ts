import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import { freePort } from "../../lib/search/engines/testing-port.ts";

/** An engine of another process that a stack under trial searches with. */
export type EngineUnderTrial = {
  /** The settings that name it. */
  env: Record<string, string>;
  /** Whether searches may do without it while it is away. */
  mayDegrade: boolean;
  /** The ids of its processes. */
  pids(): number[];
  /** Breaks it with `kill -9`, then lets it come back. */
  strike(): Promise<void>;
  stop(): Promise<void>;
};

const shared = process.env.ISNAD_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));

/** How long a node stays away that was killed, in milliseconds. */
const AWAY_MS = 20_000;

/** Starts an OpenSearch cluster of some nodes; broken, it loses the one that manages it for a while. */
export async function openSearchNodes(
  dir: string,
  count: number,
  say: (line: string) => void,
): Promise<EngineUnderTrial> {
  const names = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  const ports = await Promise.all(names.map(async () => ({ http: await freePort(), transport: await freePort() })));
  const seeds = ports.map(({ transport }) => `127.0.0.1:${transport}`).join(",");
  const nodes = new Map<string, ChildProcess>();
  async function start(name: string): Promise<void> {
    const { http = 0, transport = 0 } = ports[names.indexOf(name)] ?? {};
    const node = await startServer("opensearch", [
      ...["--data", join(dir, name), "--port", String(http), "--transport-port", String(transport), "--name", name],
      ...["--seeds", seeds, "--managers", names.join(",")],
    ]);
    nodes.set(name, node);
  }
  await Promise.all(names.map(start));
  const urls = ports.map(({ http }) => `http://127.0.0.1:${http}`);
  const ask = async (path: string) => (await fetch(`${urls[0]}${path}`)).text();
  await ask(`/_cluster/health?wait_for_nodes=${count}&timeout=60s`);
  return {
    env: {
      ...{ OPENSEARCH_URL: urls.join(","), OPENSEARCH_SHARDS: String(Math.min(2, count)) },
      OPENSEARCH_REPLICAS: String(Math.min(1, count - 1)),
    },
    mayDegrade: false,
    pids: () => [...nodes.values()].flatMap(({ pid }) => pid ?? []),
    async strike() {
      const manager = (await ask("/_cat/cluster_manager?h=node")).trim();
      say(`killed: ${manager}, which manages the cluster`);
      nodes.get(manager)?.kill("SIGKILL");
      await sleep(AWAY_MS);
      await start(manager);
      say(`started again: ${manager}`);
    },
    async stop() {
      await Promise.all(Array.from(nodes.values(), end));
    },
  };
}

/** Starts a Meilisearch server; broken, it loses all its data. */
export async function meilisearch(dir: string, say: (line: string) => void): Promise<EngineUnderTrial> {
  const port = await freePort();
  const start = () => startServer("meilisearch", ["--data", dir, "--port", String(port)]);
  let server = await start();
  return {
    env: { MEILI_URL: `http://127.0.0.1:${port}` },
    mayDegrade: true,
    pids: () => childrenOf(server),
    async strike() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      for (const pid of childrenOf(server)) process.kill(pid, "SIGKILL");
      await ended;
      rmSync(dir, { recursive: true });
      say("killed: the server, and its data deleted");
      server = await start();
    },
    stop: () => end(server),
  };
}

async function startServer(engine: "opensearch" | "meilisearch", args: readonly string[]): Promise<ChildProcess> {
  const script = join(shared, "engines", engine, "run.sh");
  const server = spawn(script, args, { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`${engine} ended with ${code}`)));
    server.stdout.on("data", (text) => String(text).includes("ready") && resolve());
  });
  return server;
}

/** What a script has started. */
function childrenOf({ pid }: ChildProcess): number[] {
  const list = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return list.split("\n").map(Number).filter(Boolean);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
}
