export {
  type AnyCommand,
  type Command,
  type CommandContext,
  CommandError,
  defineCommand,
  type Options,
  type Sink,
  UsageError,
} from "./command.ts";
export { help, parse } from "./command.ts";
export { processIo } from "./command.ts";
export { bar, createProgress } from "./command.ts";
export { type CommandTable, dispatch, explain, runCommand, writeJson } from "./command.ts";
export { type ApiTarget, findApi, findScraper, readRunning, type ScraperTarget } from "./targets.ts";
