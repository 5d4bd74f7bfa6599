import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";

const PROGRAM = `
  const { processIo } = await import(${JSON.stringify(new URL("./process-io.ts", import.meta.url).href)});
  const { stdout } = processIo();
  process.stdin.once("data", () => setInterval(() => stdout.write("a line\\n".repeat(1000)), 5));
  stdout.write("ready\\n");
`;

test("a reader that closes the pipe ends the command without a stack", async () => {
  const child = spawn(process.execPath, ["-e", PROGRAM], { stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stdin.write("\n");
  const [code] = await once(child, "close");
  expect({ code, errors }).toEqual({ code: 141, errors: "" });
});
