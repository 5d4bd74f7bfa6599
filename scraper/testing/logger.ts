import { createLogger, type Logger } from "@isnad/lib/service/process";

/** A logger whose lines are collected. */
export function collectingLogger(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ service: "scraper", level: "debug", stream }), lines };
}
