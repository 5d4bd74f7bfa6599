import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** Bytes of the output of a stack that an error shows. */
const SHOWN = 10_000;

/**
 * Starts these services as processes of their own, as `up` does, and resolves when they are ready. Rejects as soon as
 * the stack ends before, with the last of what it wrote.
 */
export async function startServices(names: readonly string[], env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["cli/up/testing/some-up.ts", ...names], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    let out = "";
    const hear = (chunk: string) => {
      out = (out + chunk).slice(-SHOWN);
      if (out.includes("ready api=")) resolve();
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`the stack ended with ${code} before it was ready:\n${out}`)));
  });
  return child;
}

/** Stops a stack, and waits until it has ended. */
export async function stopServices(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await closed;
}
