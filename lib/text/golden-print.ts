/** Prints one hash of all golden results; run by `golden.test.ts` under Deno to compare it with its own. */
import { createHash } from "node:crypto";
import process from "node:process";
import { golden } from "./golden.ts";

process.stdout.write(`${createHash("sha256").update(JSON.stringify(golden())).digest("hex")}\n`);
