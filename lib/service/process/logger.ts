import { type DestinationStream, destination, type Logger, pino } from "pino";
import { redactError, redact } from "./redact.ts";

export type { Logger } from "pino";

/**
 * A logger that writes JSON lines synchronously, so that the last line before a crash is there. `service` is on every
 * line. Writes to standard output unless `stream` is given.
 */
export function createLogger({
  service,
  level = "info",
  stream = destination({ dest: 1, sync: true }),
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
      serializers: { err: redactError },
    },
    stream,
  );
}
