export {
  type AnyCommand,
  type Command,
  type CommandContext,
  CommandError,
  defineCommand,
  type Option,
  type Options,
  type OptionValues,
  type Sink,
  UsageError,
} from "./command.ts";
export { type ApiTarget, findApi } from "./api-target.ts";
export { type CommandTable, dispatch } from "./dispatch.ts";
export { help } from "./help.ts";
export { processIo } from "./process-io.ts";
export { parse } from "./parse.ts";
export { bar, createProgress } from "./progress.ts";
export { readRunning } from "./running.ts";
export { explain, runCommand, writeJson } from "./run.ts";
export { findScraper, type ScraperTarget } from "./scraper-target.ts";
