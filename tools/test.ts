/**
 * `bun run test [FILE…]`: runs the tests in three processes, as much of a test is waiting, and files that fail beside
 * others once more alone (`second-look.ts`). Each process keeps the modules that it has loaded from file to file, and
 * the server of the test databases stays up meanwhile. Temporary files are kept in memory where there is enough, else,
 * or where `TEST_FOLDER=disk` says so, among the temporary files of the machine.
 */
import { fileURLToPath, URL } from "node:url";
import { testServer } from "@isnad/lib/store/testing";
import { runTests } from "./second-look.ts";
import { testFolder } from "./test-folder.ts";

const folder = process.env.TEST_FOLDER === "disk" ? undefined : testFolder();
if (folder !== undefined) process.env.TMPDIR = folder.path;
const server = await testServer();
const root = fileURLToPath(new URL("..", import.meta.url));
const code = await runTests(process.argv.slice(2), { root, write: (text) => process.stdout.write(text) });
await server.release();
folder?.remove();
process.exit(code);
