export { type AnyCommand, type CommandContext, CommandError, defineCommand, type Sink, UsageError } from "./command.ts";
export { processIo } from "./command.ts";
export { createProgress } from "./command.ts";
export { type CommandTable, dispatch, explain, runCommand, writeJson } from "./command.ts";
export { type ApiTarget, findApi, findScraper, readRunning, type ScraperTarget } from "./targets.ts";
