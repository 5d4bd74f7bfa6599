/**
 * `bun run test [FILE…]`: runs the tests in three processes, as much of a test is waiting. Each keeps the modules that
 * it has loaded from file to file, and the server of the test databases stays up meanwhile. Temporary files are kept in
 * memory where there is enough, else, or where `TEST_FOLDER=disk` says so, among the temporary files of the machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, URL } from "node:url";
import { testServer } from "@isnad/lib/store/testing";
import { testFolder } from "./test-folder.ts";

const folder = process.env.TEST_FOLDER === "disk" ? undefined : testFolder();
if (folder !== undefined) process.env.TMPDIR = folder.path;
const server = await testServer();
const runner = spawn(
  process.execPath,
  ["test", "--parallel=3", "--no-isolate", "--timeout", "60000", ...process.argv.slice(2)],
  { cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: "inherit" },
);
// The runner gets Ctrl-C as well; the server is let go when it has ended.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => runner.kill("SIGTERM"));
const [code] = await once(runner, "exit");
await server.release();
folder?.remove();
process.exit(code ?? 1);
