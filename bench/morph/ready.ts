import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import { freePort } from "../../up/ports.ts";
import type { Figure } from "../rounds.ts";

const MAIN = fileURLToPath(new URL("../../nlp/linguistic/main.ts", import.meta.url));
const TEXT = encodeURIComponent("قال رئيس بلدية نابلس إن المدرسة ستفتح يوم الأحد.");
const ROUTES = ["morph", "wsd", "ner", "re", "dialect/nabra/glossary"];

/** How long the linguistic service takes from the start of its process until all parts answer; its memory then. */
export async function ready(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-nlp-"));
  const port = await freePort("127.0.0.1");
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
    const healthy = (performance.now() - began) / 1000;
    for (const route of ROUTES) {
      const { status } = await fetch(`${url}/${route}?text=${TEXT}`);
      if (status !== 200) throw new Error(`/${route} answers ${status}`);
    }
    const answered = (performance.now() - began) / 1000;
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
    return [
      {
        name: "linguistic service: s until it is well",
        value: healthy,
        bound: { atMost: 2 },
        detail: `every route has answered after ${answered.toFixed(2)} s, ${Math.round(Number(memory) / 1024)} MB resident`,
      },
    ];
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
