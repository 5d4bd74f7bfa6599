import { type DestinationStream, type Logger, pino } from "pino";
import { standardOutput } from "./log-output.ts";
import { redact } from "./redact.ts";

export type { Logger } from "pino";

/**
 * A logger that writes JSON lines. `service` is on every line. Writes to {@link standardOutput} unless `stream` is
 * given.
 */
export function createLogger({
  service,
  level = "info",
  stream = standardOutput(),
}: {
  service: string;
  level?: string;
  stream?: DestinationStream;
}): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: redact },
    },
    stream,
  );
}
