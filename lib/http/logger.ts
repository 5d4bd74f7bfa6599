import { type DestinationStream, destination, type Logger, pino } from "pino";

export type { Logger } from "pino";

/** Header and option names whose values never reach a log line, at any depth up to three. */
const SECRET_KEYS = [
  "authorization",
  "Authorization",
  "x-api-key",
  "x-metrics-token",
  "token",
  "tokens",
  "secret",
  "password",
];

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
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_KEYS.flatMap((key) => spellings(key)), censor: "[redacted]" },
    },
    stream,
  );
}

function spellings(key: string): string[] {
  const quoted = `["${key}"]`;
  return [quoted, `*${quoted}`, `*.*${quoted}`];
}
