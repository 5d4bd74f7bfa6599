import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import { freePort } from "../lib/std/ports.ts";

const MAIN = fileURLToPath(new URL("../nlp/linguistic/main.ts", import.meta.url));

/** The linguistic service in a process of its own, which is well; `seconds` from its start until it was. */
type NlpProcess = { url: string; pid: number; seconds: number };

/** Runs `work` beside the service, and ends it. @throws Error when it ends by itself before it is well */
export async function withNlp<T>(work: (service: NlpProcess) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-nlp-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, DATA_DIR: dataDir, NLP_PORT: String(port), LOG_LEVEL: "error" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    while (!(await isWell(url))) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error("the linguistic service has ended");
      await sleep(5);
    }
    return await work({ url, pid: child.pid ?? 0, seconds: (performance.now() - began) / 1000 });
  } finally {
    if (child.kill()) await once(child, "exit");
    rmSync(dataDir, { recursive: true });
  }
}

async function isWell(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`);
    const health: unknown = await response.json();
    return response.status === 200 && Object(health).status === "ok";
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
