/** `bun run eval`: what the platform's models and its search reach on public sets, or on a set of your own. */
import { processIo, runCommand } from "@isnad/lib/service/cli";
import { evaluate } from "./evaluate.ts";

process.exitCode = await runCommand(evaluate, process.argv.slice(2), processIo());
