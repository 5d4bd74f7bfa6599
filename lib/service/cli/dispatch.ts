import process from "node:process";
import type { AnyCommand } from "./command.ts";
import { processIo } from "./process-io.ts";
import { runCommand } from "./run.ts";

/** Commands by name; each is loaded when it is called. */
export type CommandTable = Record<string, () => Promise<AnyCommand>>;

/**
 * Runs the command that the process was started with the name of, and sets its exit code; SIGINT and SIGTERM abort it.
 */
export async function dispatch(commands: CommandTable): Promise<void> {
  const [name = "", ...argv] = process.argv.slice(2);
  const command = await commands[name]?.();
  if (command === undefined) {
    process.stderr.write(`${name || "a command"}: unknown; there are ${Object.keys(commands).join(", ")}\n`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = await runCommand(command, argv, processIo());
}
