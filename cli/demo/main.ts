import process from "node:process";
import { processIo, runCommand } from "@isnad/lib/service/cli";
import { demo } from "./demo.ts";

process.exitCode = await runCommand(demo, process.argv.slice(2), processIo());
