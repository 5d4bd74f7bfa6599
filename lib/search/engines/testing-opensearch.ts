import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import type { OpenSearchServer } from "../../service/config/mod.ts";
import { freePort } from "../../std/ports.ts";
import { testProxy } from "../../std/testing-proxy.ts";

/** A server for tests, which can be used once it is `ready`; `skipped` says why there is none. */
type TestOpenSearch =
  | { server: OpenSearchServer; ready: Promise<void>; stop(): Promise<void>; skipped?: undefined }
  | { skipped: string };

/** Longest time that a node may take to start, in milliseconds. */
export const START_MS = 180_000;

const shared = process.env.ISNAD_SHARED ?? fileURLToPath(new URL("../../../../shared", import.meta.url));

/** Starts an OpenSearch node, which is ready some ten seconds later, where a program for it is at hand. */
export async function testOpenSearch(): Promise<TestOpenSearch> {
  const script = join(shared, "engines/opensearch/run.sh");
  if (!existsSync(script)) return { skipped: `no OpenSearch: there is no ${script}` };
  // Fetched the first time; a machine that has neither it nor a way to get it can do without.
  const prepared = spawnSync(script, ["--prepare"], { encoding: "utf8" });
  if (prepared.status !== 0) return { skipped: `no OpenSearch: ${prepared.stderr.trim().split("\n").at(-1) ?? ""}` };
  const data = mkdtempSync(join(tmpdir(), "isnad-opensearch-"));
  const [port, transport] = [await freePort(), await freePort()];
  const node = spawn(script, ["--data", data, "--port", String(port), "--transport-port", String(transport)], {
    stdio: ["ignore", "pipe", "pipe"],
    // Starts sooner, and is busy for a shorter time than it takes to optimise.
    env: { ...process.env, OPENSEARCH_JAVA_OPTS: "-XX:TieredStopAtLevel=1" },
  });
  const ended = new Promise<number | null>((resolve) => node.once("exit", resolve));
  let said = "";
  node.stderr.on("data", (text) => {
    said = `${said}${text}`.slice(-500);
  });
  const ready = new Promise<"ready">((resolve) =>
    node.stdout.on("data", (text) => {
      if (String(text).includes("ready")) resolve("ready");
    }),
  );
  const stop = async () => {
    node.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  const started = async () => {
    const late = setTimeout(() => node.kill("SIGKILL"), START_MS);
    const first = await Promise.race([ready, ended]).finally(() => clearTimeout(late));
    if (first !== "ready") throw new Error(`OpenSearch ended with ${first}: ${said}`);
  };
  const server = { urls: [`http://127.0.0.1:${port}`], prefix: "test", shards: 2, replicas: 0 };
  const settled = started();
  // Whoever waits for it hears of a failure.
  settled.catch(() => undefined);
  return { server, ready: settled, stop };
}

/** Passes connections on to a server; shut, it refuses them and cuts those that there are. */
type TestGate = { url: string; shut(): void; open(): void; close(): Promise<void> };

/** Opens a gate on loopback in front of a server. */
export async function testGate(url: string): Promise<TestGate> {
  let isOpen = true;
  const proxy = await testProxy(url, (client, upstream) => {
    if (isOpen) client.pipe(upstream).pipe(client);
    else client.destroy();
  });
  return {
    url: new URL(proxy.url).origin,
    shut() {
      isOpen = false;
      proxy.cut();
    },
    open() {
      isOpen = true;
    },
    close: proxy.close,
  };
}
