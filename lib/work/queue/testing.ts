import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "../../std/ports.ts";

/** Whether this machine has a `redis-server` to test against. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Says once, for the log of the tests, that those against Redis are left out. */
export function sayThatRedisIsMissing(): void {
  if (!hasRedis) process.stderr.write("redis-server is not installed: the tests of the queue over Redis are skipped\n");
}

/** A Redis of its own for a test, which keeps nothing on disk. */
export type TestRedis = { url: string; kill(): Promise<void>; start(): Promise<void>; stop(): Promise<void> };

/** Starts a `redis-server` on a free port of loopback. */
export async function testRedis(): Promise<TestRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const kill = async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  const start = async () => {
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    server = spawn("redis-server", options, { stdio: "ignore" });
    await answering(url);
  };
  await start();
  return { url, kill, start, stop: kill };
}

async function answering(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 25, maxRetriesPerRequest: null });
  redis.on("error", () => {});
  try {
    await redis.ping();
  } finally {
    redis.disconnect();
  }
  await sleep(0);
}
