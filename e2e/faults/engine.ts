import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import { parseJsonObject } from "@isnad/lib/std";
import { freePort } from "../../lib/std/ports.ts";

/** An engine of another process that a stack under trial searches with. */
export type EngineUnderTrial = {
  /** The settings that name it. */
  env: Record<string, string>;
  /** True when searches may do without it while it is away. */
  mayDegrade: boolean;
  /** The ids of its processes. */
  pids(): number[];
  /** Kills the engine with `kill -9` and restarts it; one that survives this only when healthy is waited for first. */
  strike(): Promise<void>;
  /** The state of the engine now, and when it was killed, in one line. */
  state(): Promise<string>;
  stop(): Promise<void>;
};

const shared = process.env.ISNAD_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));

/** Says how long a node stays away that was killed, in milliseconds. */
const AWAY_MS = 20_000;
/** Says how long a cluster may take until every shard has its copies again, in milliseconds. */
const WHOLE_MS = 300_000;

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
  /** Asks the first node that answers. */
  const ask = (path: string, timeoutMs = 5_000) =>
    Promise.any(
      urls.map(async (url) => (await fetch(`${url}${path}`, { signal: AbortSignal.timeout(timeoutMs) })).text()),
    );
  await ask(`/_cluster/health?wait_for_nodes=${count}&timeout=60s`, 70_000);
  let broken: { node: string; at: number } | undefined;

  /** Waits until every shard has its copies: a cluster with one copy of a shard cannot lose that one. */
  async function whole(): Promise<void> {
    const since = performance.now();
    for (;;) {
      const query = `wait_for_status=green&wait_for_no_initializing_shards=true&wait_for_nodes=${count}&timeout=30s`;
      const health = parseJsonObject(await ask(`/_cluster/health?${query}`, 40_000));
      if (health?.status === "green" && health.timed_out === false) break;
      if (performance.now() - since > WHOLE_MS) {
        const why = await ask("/_cluster/allocation/explain?format=yaml").catch(String);
        throw new Error(`the cluster is not whole after ${WHOLE_MS / 1_000} s: ${why.slice(0, 2_000)}`);
      }
    }
    const seconds = (performance.now() - since) / 1_000;
    if (seconds > 1) say(`waited ${seconds.toFixed(1)} s until every shard had its copies again`);
  }
  return {
    env: {
      ...{ OPENSEARCH_URL: urls.join(","), OPENSEARCH_SHARDS: String(Math.min(2, count)) },
      OPENSEARCH_REPLICAS: String(Math.min(1, count - 1)),
    },
    mayDegrade: false,
    pids: () => [...nodes.values()].flatMap(({ pid }) => pid ?? []),
    async state() {
      const health = await ask("/_cat/health?h=status,node.total,shards,init,unassign,pending_tasks").catch(String);
      const since =
        broken && `${((performance.now() - broken.at) / 1_000).toFixed(1)} s after ${broken.node} was killed, `;
      return `${since ?? ""}cluster (status, nodes, shards, initialising, unassigned, tasks): ${health.trim()}`;
    },
    async strike() {
      await whole();
      const manager = (await ask("/_cat/cluster_manager?h=node")).trim();
      say(`killed: ${manager}, which manages the cluster`);
      nodes.get(manager)?.kill("SIGKILL");
      broken = { node: manager, at: performance.now() };
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
  let brokenAt: number | undefined;
  return {
    env: { MEILI_URL: `http://127.0.0.1:${port}` },
    mayDegrade: true,
    pids: () => childrenOf(server),
    state: async () =>
      brokenAt === undefined
        ? ""
        : `${((performance.now() - brokenAt) / 1_000).toFixed(1)} s after the server was killed`,
    async strike() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      for (const pid of childrenOf(server)) process.kill(pid, "SIGKILL");
      await ended;
      rmSync(dir, { recursive: true });
      brokenAt = performance.now();
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

/** Returns what a script has started. */
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
