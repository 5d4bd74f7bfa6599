import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack } from "./stack.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-demo-stack-"));
afterAll(() => rmSync(dir, { recursive: true }));
const options = { cwd: dir, env: process.env, logFile: join(dir, "logs", "demo.log") };

function script(code: string): [string, string, string] {
  return [process.execPath, "-e", code];
}

test("the stack is ready once it says so, and ends when it is told to", async () => {
  const stack = startStack(script('console.log("up  starting\\nready api=x"); setInterval(() => {}, 1000)'), options);
  await stack.ready;
  await stack.stop();
  await stack.ended;
  expect(readFileSync(options.logFile, "utf8")).toBe("up  starting\nready api=x\n");
});

test("a stack that ends before it was ready is an error that tells its last line", async () => {
  const stack = startStack(
    script('console.log("one"); console.error("port 8080 is in use\\n"); process.exit(1)'),
    options,
  );
  await expect(stack.ready).rejects.toThrow("the stack ended: port 8080 is in use");
  await stack.ended;
});

test("a stack that says nothing, or cannot be started, is an error too", async () => {
  await expect(startStack(script(";"), options).ready).rejects.toThrow("ended at once");
  await expect(startStack([join(dir, "absent")], options).ready).rejects.toThrow("cannot be started");
  await Bun.sleep(200);
});

test("the stack is told that it is supervised, and its standard input is open", async () => {
  const code = `process.stdin.on("end", () => process.exit()).resume();
    console.log(process.env.ISNAD_SUPERVISED === "1" ? "ready" : "alone")`;
  const stack = startStack(script(code), { ...options, logFile: join(dir, "deep", "er", "x.log") });
  await stack.ready;
  await stack.stop();
  expect(existsSync(join(dir, "deep", "er", "x.log"))).toBe(true);
});

test("a log that cannot be written does not take the stack with it", async () => {
  const code = 'console.log("starting"); setTimeout(() => console.log("ready"), 50); setInterval(() => {}, 1000)';
  const stack = startStack(script(code), { ...options, logFile: dir });
  await stack.ready;
  await stack.stop();
});
